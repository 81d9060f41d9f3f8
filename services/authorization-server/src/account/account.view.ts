import type { MerchantAccount } from "@partner-connect/directory";
import { type Html, html } from "@partner-connect/service-runtime/html";
import { layout, notice } from "../merchant-page/frame/layout.ts";
import { moment } from "../merchant-page/frame/moment.view.ts";
import { named } from "../merchant-page/frame/name.ts";
import type { LiveSession } from "../merchant-page/merchant-sign-in.ts";
import { ACCOUNT_PATH, PASSKEYS_PATH, PASSWORD_PATH } from "../merchant-page/paths.ts";
import type { Texts } from "../merchant-page/texts/en.ts";
import type { Locale } from "../merchant-page/texts/locale.ts";

export interface AccountMessage {
  readonly done?: "one" | "others" | null;
  readonly problem?: (texts: Texts) => string;
}

interface AccountPage extends AccountMessage {
  readonly merchant: MerchantAccount;
  readonly sessions: readonly LiveSession[];
  readonly token: string;
}

export function accountView({ merchant, sessions, token, done, problem }: AccountPage, locale: Locale): Html {
  const { frame, account, passkeys, sessions: texts } = locale.texts;
  const others = sessions.filter(({ isThis }) => !isThis);
  return layout(
    locale,
    { title: frame.account, width: "medium" },
    html`<h1>${frame.account}</h1>
${notice("done", done && texts.done[done])}
${notice("problem", problem?.(locale.texts))}
<section class="card">
<p><b>${named(merchant.name)}</b><br>${named(merchant.email)}</p>
<div class="actions">
${locale.frame.hasPasswords && html`<a class="button" href="${PASSWORD_PATH}">${account.changePassword}</a>`}
<a class="button" href="${PASSKEYS_PATH}">${passkeys.title}</a>
</div>
</section>
<section class="card">
<h2>${texts.title}</h2>
<p>${texts.lead}</p>
<ul class="rows">${sessions.map((session) => sessionRow(session, token, locale))}</ul>
${
  others.length > 1 &&
  html`<form method="post" action="${ACCOUNT_PATH}">
<input type="hidden" name="token" value="${token}">
<div class="actions"><button class="danger" name="session" value="others">${texts.endOthers}</button></div>
</form>`
}
</section>`,
  );
}

function sessionRow(session: LiveSession, token: string, locale: Locale): Html {
  const texts = locale.texts.sessions;
  const { hash, device, address, signedInAt, lastUsedAt, isThis } = session;
  const id = `session-${hash}`;
  return html`<li class="row"><div>
<p id="${id}"><b>${device ?? texts.unknownDevice}</b>${isThis && html` (${texts.thisOne})`}</p>
<p class="fine">${address !== null && html`${texts.from(html`<bdi>${address}</bdi>`)} · `}${texts.since(moment(signedInAt, locale))}</p>
${!isThis && html`<p class="fine">${texts.lastUsed(moment(lastUsedAt, locale))}</p>`}
</div>
${
  !isThis &&
  html`<form method="post" action="${ACCOUNT_PATH}">
<input type="hidden" name="token" value="${token}">
<button class="danger" name="session" value="${hash}" aria-describedby="${id}">${texts.end}</button>
</form>`
}</li>`;
}
