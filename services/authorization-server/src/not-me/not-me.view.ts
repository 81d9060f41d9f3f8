import type { Merchant } from "@partner-connect/directory";
import { type Html, html } from "@partner-connect/service-runtime/html";
import { type ConfirmationForm, confirmation } from "../merchant-page/forms/confirmation.view.ts";
import { cardPage, notice } from "../merchant-page/frame/layout.ts";
import { moment } from "../merchant-page/frame/moment.view.ts";
import { named } from "../merchant-page/frame/name.ts";
import { CONNECTED_APPS_PATH, FORGOT_PASSWORD_PATH } from "../merchant-page/paths.ts";
import type { Locale } from "../merchant-page/texts/locale.ts";
import type { ToldConnection } from "./told-connection.query.ts";

interface Form extends ConfirmationForm {
  readonly hasPasswords: boolean;
  readonly isOutOfDate: boolean;
}

/** Asks whether to disconnect the app. Of one that is disconnected it says so. */
export function connectionView(
  { shop, connection }: ToldConnection,
  form: Form,
  isDone: boolean,
  locale: Locale,
): Html {
  const { notMe: texts, connectedApps, disconnect } = locale.texts;
  const [app, shopName] = [named(connection.clientName), named(shop.name)];
  if (connection.status === "revoked") {
    return cardPage(
      locale,
      { title: texts.title },
      html`${isDone ? notice("done", connectedApps.disconnected(app, shopName)) : html`<p class="lead">${texts.app.gone(app, shopName)}</p>`}
${newPassword(form.hasPasswords, locale)}`,
    );
  }
  const approved = connectedApps.merchantOn(named(connection.merchantName), moment(connection.approvedAt, locale));
  return cardPage(
    locale,
    { title: texts.title },
    html`${notice("problem", form.isOutOfDate && texts.outOfDate)}
<p class="lead">${texts.app.lead(app, shopName)}</p>
<dl><div><dt>${connectedApps.approvedBy}</dt><dd>${approved}</dd></div></dl>
<ul class="plain">${disconnect.consequences(app).map((line) => html`<li>${line}</li>`)}</ul>
${confirmation(form, connectedApps.disconnect, texts.keep)}`,
  );
}

/** Asks whether to end all sessions. */
export function accountView(merchant: Merchant, form: Form, locale: Locale): Html {
  const { notMe: texts } = locale.texts;
  return cardPage(
    locale,
    { title: texts.title },
    html`${notice("problem", form.isOutOfDate && texts.outOfDate)}
<p class="lead">${texts.account.lead(html`<strong>${named(merchant.email)}</strong>`)}</p>
<ul class="plain">${texts.account.consequences.slice(0, form.hasPasswords ? 2 : 1).map((line) => html`<li>${line}</li>`)}</ul>
${confirmation(form, texts.account.submit, texts.keep)}`,
  );
}

export function endedView(hasPasswords: boolean, locale: Locale): Html {
  const { notMe: texts, password } = locale.texts;
  return cardPage(
    locale,
    { title: password.ended.title },
    html`<p class="lead">${texts.ended}</p>
${newPassword(hasPasswords, locale)}`,
  );
}

/** What to do besides, if somebody knows the password. */
function newPassword(hasPasswords: boolean, { texts }: Locale): Html {
  return html`${hasPasswords && html`<p class="lead">${texts.notMe.careful}</p>`}
<div class="actions">${hasPasswords && html`<a class="button primary" href="${FORGOT_PASSWORD_PATH}">${texts.password.reset.title}</a>`}
<a class="button" href="${CONNECTED_APPS_PATH}">${texts.connectedApps.title}</a></div>`;
}
