import type { Connection } from "@partner-connect/connections";
import type { Shop } from "@partner-connect/directory";
import { type Html, html } from "@partner-connect/service-runtime/html";
import { cardPage, notice } from "../merchant-page/frame/layout.ts";
import { named, plainName } from "../merchant-page/frame/name.ts";
import { CONNECTED_APPS_PATH } from "../merchant-page/paths.ts";
import type { Locale } from "../merchant-page/texts/locale.ts";

export function disconnectPath(shopId: string, connectionId: string): string {
  return `${CONNECTED_APPS_PATH}/${shopId}/${connectionId}/disconnect`;
}

export interface DisconnectView {
  readonly shop: Shop;
  readonly connection: Connection;
  readonly token: string;
  /** The form that was posted was not valid any more. */
  readonly isOutOfDate: boolean;
}

export function disconnectView({ shop, connection, token, isOutOfDate }: DisconnectView, locale: Locale): Html {
  const texts = locale.texts.disconnect;
  const [app, shopName] = [named(connection.clientName), named(shop.name)];
  // Approved, and nothing was connected by it yet.
  const isUnfinished = connection.connectedAt === null;
  return cardPage(
    locale,
    { title: texts.title(plainName(connection.clientName)), heading: texts.heading(app, shopName) },
    html`${notice("problem", isOutOfDate && texts.outOfDate)}
<p class="lead">${isUnfinished ? texts.unfinished(app, shopName) : texts.lead(app, shopName)}</p>
${!isUnfinished && html`<ul class="plain">${texts.consequences(app).map((line) => html`<li>${line}</li>`)}</ul>`}
<form method="post" action="${disconnectPath(shop.id, connection.id)}">
<input type="hidden" name="token" value="${token}">
<div class="actions">
<button class="danger filled">${locale.texts.connectedApps.disconnect}</button>
<a class="button" href="${CONNECTED_APPS_PATH}">${texts.keep}</a>
</div>
</form>`,
  );
}
