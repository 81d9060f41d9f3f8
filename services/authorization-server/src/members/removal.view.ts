import type { Member, Shop } from "@partner-connect/directory";
import { type Html, html } from "@partner-connect/service-runtime/html";
import { type AccountView, accountView } from "../merchant-page/frame/account.view.ts";
import { layout, notice } from "../merchant-page/frame/layout.ts";
import { named, plainName } from "../merchant-page/frame/name.ts";
import { membersPath } from "../merchant-page/paths.ts";
import type { Locale } from "../merchant-page/texts/locale.ts";
import type { MemberProblem } from "../merchant-page/texts/texts.ts";

export interface RemovalView {
  readonly shop: Shop;
  readonly member: Member;
  readonly isYourself: boolean;
  readonly action: string;
  readonly token: string;
  readonly problem: MemberProblem | null;
  readonly account: AccountView;
}

export function removalView(view: RemovalView, locale: Locale): Html {
  const { removal: texts, problem: problems, remove } = locale.texts.members;
  const { shop, member, problem } = view;
  const name = named(member.name);
  return layout({
    locale,
    title: texts.title(plainName(member.name)),
    width: "narrow",
    account: accountView(view.account, locale.texts),
    main: html`<section class="card">
<h1>${texts.heading(name, named(shop.name))}</h1>
${notice("problem", problem && problems[problem])}
<p class="lead">${named(member.email)}</p>
${view.isYourself && html`<p class="lead"><strong>${texts.yourself}</strong></p>`}
<ul class="plain">${texts.consequences(name).map((line) => html`<li>${line}</li>`)}</ul>
<form method="post" action="${view.action}">
<input type="hidden" name="token" value="${view.token}">
<div class="actions">
<button class="danger filled">${remove}</button>
<a class="button" href="${membersPath(shop.id)}">${texts.keep}</a>
</div>
</form>
</section>`,
  });
}
