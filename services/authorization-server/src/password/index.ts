import type { FastifyInstance } from "fastify";
import type { PageContext } from "../merchant-page/page-context.ts";
import { changePasswordRoute } from "./change-password.route.ts";
import { forgotPasswordRoute } from "./forgot-password.route.ts";
import { resetPasswordRoute } from "./reset-password.route.ts";

export function passwordRoutes(app: FastifyInstance, context: PageContext): void {
  changePasswordRoute(app, context);
  resetPasswordRoute(app, context);
  forgotPasswordRoute(app, context);
}
