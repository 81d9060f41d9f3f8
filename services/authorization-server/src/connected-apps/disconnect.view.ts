import { type Html, html } from "@partner-connect/service-runtime/html";
import { type AccountView, accountView } from "../merchant-page/frame/account.view.ts";
import { layout, notice } from "../merchant-page/frame/layout.ts";
import { named, plainName } from "../merchant-page/frame/name.ts";
import { CONNECTED_APPS_PATH } from "../merchant-page/paths.ts";
import type { Locale } from "../merchant-page/texts/locale.ts";

export interface DisconnectView {
  readonly app: string;
  readonly shop: string;
  /** Approved, and nothing was connected by it yet. */
  readonly isUnfinished: boolean;
  readonly action: string;
  readonly token: string;
  /** The form that was posted was not valid any more. */
  readonly isOutOfDate: boolean;
  readonly account: AccountView;
}

export function disconnectView(view: DisconnectView, locale: Locale): Html {
  const texts = locale.texts.disconnect;
  const app = named(view.app);
  const shop = named(view.shop);
  return layout({
    locale,
    title: texts.title(plainName(view.app)),
    width: "narrow",
    account: accountView(view.account, locale.texts),
    main: html`<section class="card">
<h1>${texts.heading(app, shop)}</h1>
${notice("problem", view.isOutOfDate && texts.outOfDate)}
<p class="lead">${view.isUnfinished ? texts.unfinished(app, shop) : texts.lead(app, shop)}</p>
${!view.isUnfinished && html`<ul class="plain">${texts.consequences(app).map((line) => html`<li>${line}</li>`)}</ul>`}
<form method="post" action="${view.action}">
<input type="hidden" name="token" value="${view.token}">
<div class="actions">
<button class="danger filled">${locale.texts.connectedApps.disconnect}</button>
<a class="button" href="${CONNECTED_APPS_PATH}">${texts.keep}</a>
</div>
</form>
</section>`,
  });
}
