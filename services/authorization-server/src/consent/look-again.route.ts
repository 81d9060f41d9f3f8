import type { FastifyInstance } from "fastify";
import { formField } from "../merchant-page/form-field.ts";
import { languageCookie } from "../merchant-page/language-cookie.ts";
import { redirectTo } from "../merchant-page/send-merchant-page.ts";
import { isLanguage } from "../merchant-page/texts/locale.ts";
import { AUTHORIZATION_PATH, authorizationPath } from "./authorization-paths.ts";
import { authorizationStep } from "./authorization-step.ts";
import type { ConsentContext } from "./consent-context.ts";
import { MAX_SEARCH } from "./shop-list.ts";

/**
 * The form of the decision, sent without a decision: the page is shown again, with the shops that a search finds or in another language, and
 * the shop that was chosen stays chosen. It changes nothing but the language, so it needs no token.
 */
export function lookAgainRoute(app: FastifyInstance, context: ConsentContext): void {
  const languages = languageCookie(app.pageSettings.publicBaseUrl);
  app.post(
    `${AUTHORIZATION_PATH}/look`,
    authorizationStep(context, ({ body }, reply, pending) => {
      const language = formField(body, "language");
      if (isLanguage(language)) languages.set(reply, language);
      const search = formField(body, "all") === "" ? formField(body, "find").slice(0, MAX_SEARCH) : "";
      const choice = new URLSearchParams({ find: search, shop: formField(body, "shop") });
      return redirectTo(reply, `${authorizationPath(pending)}&${choice}${isLanguage(language) ? "" : "#found"}`);
    }),
  );
}
