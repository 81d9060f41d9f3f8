import { type Html, html } from "@partner-connect/service-runtime/html";
import { layout } from "../frame/layout.ts";
import { named } from "../frame/name.ts";
import type { Locale } from "../texts/locale.ts";
import type { FailureKind } from "../texts/texts.ts";

export interface ErrorPageView {
  readonly kind: FailureKind;
  readonly app: string | null;
  /** In English, as the protocol is. */
  readonly developerDetail: string | null;
  readonly requestId: string;
}

export function errorPageView(view: ErrorPageView, locale: Locale): Html {
  const texts = locale.texts.failurePage;
  const { title, lead } = locale.texts.failure[view.kind];
  const app = view.app === null ? html`${texts.unnamedApp}` : named(view.app);
  return layout({
    locale,
    title,
    width: "narrow",
    main: html`<section class="card failure">
<h1>${title}</h1>
<p class="lead">${typeof lead === "string" ? lead : lead(app)}</p>
${view.developerDetail !== null && html`<details><summary>${texts.forDevelopers}</summary><p lang="en"><code>${view.developerDetail}</code></p></details>`}
<p class="fine">${texts.requestId} <code>${view.requestId}</code></p>
</section>`,
  });
}
