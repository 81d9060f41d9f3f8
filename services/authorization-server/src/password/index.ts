import type { FastifyInstance } from "fastify";
import { changePasswordRoute } from "./change-password.route.ts";
import { forgotPasswordRoute } from "./forgot-password.route.ts";
import type { PasswordContext } from "./password-context.ts";
import { resetPasswordRoute } from "./reset-password.route.ts";

/** A new password: by who is signed in, or by a link from an operator; and what to do without either. */
export function passwordRoutes(app: FastifyInstance, context: PasswordContext): void {
  changePasswordRoute(app, context);
  resetPasswordRoute(app, context);
  forgotPasswordRoute(app);
}
