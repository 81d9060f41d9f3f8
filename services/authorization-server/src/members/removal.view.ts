import type { Member, Shop } from "@partner-connect/directory";
import { type Html, html } from "@partner-connect/service-runtime/html";
import { cardPage, notice } from "../merchant-page/frame/layout.ts";
import { named, plainName } from "../merchant-page/frame/name.ts";
import { membersPath } from "../merchant-page/paths.ts";
import type { Locale } from "../merchant-page/texts/locale.ts";
import type { MemberProblem } from "../merchant-page/texts/texts.ts";
import { removalPath } from "./members-paths.ts";

export interface RemovalView {
  readonly shop: Shop;
  readonly member: Member;
  readonly isYourself: boolean;
  readonly token: string;
  readonly problem: MemberProblem | null;
}

export function removalView({ shop, member, isYourself, token, problem }: RemovalView, locale: Locale): Html {
  const { removal: texts, problem: problems, remove } = locale.texts.members;
  const name = named(member.name);
  return cardPage(
    locale,
    { title: texts.title(plainName(member.name)), heading: texts.heading(name, named(shop.name)) },
    html`${notice("problem", problem && problems[problem])}
<p class="lead">${named(member.email)}</p>
${isYourself && html`<p class="lead"><strong>${texts.yourself}</strong></p>`}
<ul class="plain">${texts.consequences(name).map((line) => html`<li>${line}</li>`)}</ul>
<form method="post" action="${removalPath(shop.id, member.merchantId)}">
<input type="hidden" name="token" value="${token}">
<div class="actions">
<button class="danger filled">${remove}</button>
<a class="button" href="${membersPath(shop.id)}">${texts.keep}</a>
</div>
</form>`,
  );
}
