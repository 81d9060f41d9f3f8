import type { FastifyInstance } from "fastify";
import { errorPage } from "./error-page.ts";
import { formField } from "./form-token.ts";
import { isLanguage, languageCookie } from "./locale.ts";
import { ownPath } from "./own-path.ts";
import { LANGUAGE_PATH } from "./paths.ts";
import { redirectTo } from "./send-merchant-page.ts";

/** Keeps the language that the reader chose, and opens the same page again. */
export function languageRoute(app: FastifyInstance): void {
  const cookie = languageCookie(app.pageSettings.publicBaseUrl);
  app.post(LANGUAGE_PATH, async (request, reply) => {
    const language = formField(request.body, "language");
    const page = ownPath(formField(request.body, "page"));
    if (!isLanguage(language) || page === null) {
      return errorPage(reply, { status: 400, kind: "bad_request" });
    }
    cookie.set(reply, language);
    return redirectTo(reply, page);
  });
}
