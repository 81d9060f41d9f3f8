import type { FastifyInstance } from "fastify";
import { sendMerchantPage } from "../merchant-page/frame/send-merchant-page.ts";
import { FORGOT_PASSWORD_PATH } from "../merchant-page/paths.ts";
import { forgotPasswordView } from "./forgot-password.view.ts";

/** Says what to do. It asks for no email, so nobody learns here whether there is an account. */
export function forgotPasswordRoute(app: FastifyInstance): void {
  app.get(FORGOT_PASSWORD_PATH, async (_, reply) => sendMerchantPage(reply, forgotPasswordView));
}
