import type { FastifyInstance } from "fastify";
import { formField } from "../../merchant-page/forms/form-field.ts";
import { redirectTo } from "../../merchant-page/frame/send-merchant-page.ts";
import { languageCookie } from "../../merchant-page/texts/language-cookie.ts";
import { isLanguage } from "../../merchant-page/texts/locale.ts";
import type { ConsentContext } from "../consent-context.ts";
import { MAX_SEARCH } from "../offers/shop-list.ts";
import { AUTHORIZATION_PATH, authorizationPath } from "../request/authorization-paths.ts";
import { authorizationStep } from "../request/authorization-step.ts";

/**
 * The form of the decision, sent without a decision: the page is shown again, with the shops that a search finds or in another language, and
 * the shop that was chosen stays chosen. It changes nothing but the language, so it needs no token.
 */
export function lookAgainRoute(app: FastifyInstance, context: ConsentContext): void {
  const languages = languageCookie(app.pageSettings.publicBaseUrl);
  app.post(
    `${AUTHORIZATION_PATH}/look`,
    authorizationStep(context, (reply, authorization) => {
      const { body } = reply.request;
      const language = formField(body, "language");
      if (isLanguage(language)) languages.set(reply, language);
      const search = formField(body, "all") === "" ? formField(body, "find").slice(0, MAX_SEARCH) : "";
      const choice = new URLSearchParams({ find: search, shop: formField(body, "shop") });
      return redirectTo(reply, `${authorizationPath(authorization)}&${choice}${isLanguage(language) ? "" : "#found"}`);
    }),
  );
}
