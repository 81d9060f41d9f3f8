import {
  type Member,
  type Merchant,
  type PendingInvitation,
  ROLES,
  type Role,
  type Shop,
} from "@partner-connect/directory";
import { type Html, type HtmlValue, html } from "@partner-connect/service-runtime/html";
import { cardPage, notice } from "../merchant-page/frame/layout.ts";
import { day } from "../merchant-page/frame/moment.view.ts";
import { named, plainName } from "../merchant-page/frame/name.ts";
import { CONNECTED_APPS_PATH, invitationsPath, removalPath, withdrawalPath } from "../merchant-page/paths.ts";
import type { MemberProblem } from "../merchant-page/texts/en.ts";
import type { Locale } from "../merchant-page/texts/locale.ts";

export interface MembersView extends AddMemberView {
  readonly merchant: Merchant;
  readonly members: readonly Member[];
  readonly invitations: readonly PendingInvitation[];
  readonly done?: "removed" | "withdrawn";
}

export function membersView(view: MembersView, locale: Locale): Html {
  const texts = locale.texts.members;
  const { shop, members, invitations, problem, done } = view;
  return cardPage(
    locale,
    { title: texts.title(plainName(shop.name)), heading: texts.heading(named(shop.name)), width: "medium" },
    html`<p class="lead">${texts.lead}</p>
${notice("done", done && texts.done[done])}
${notice("problem", problem && html`<span id="problem">${texts.problem[problem]}</span>`)}
<ul class="rows">${members.map((member) => memberRow(member, view, locale))}</ul>
${
  invitations.length > 0 &&
  html`<h2 class="next">${texts.waiting}</h2>
<ul class="rows">${invitations.map((invitation) => invitationRow(invitation, view, locale))}</ul>`
}
${addMemberView(view, locale)}
<p class="aside"><a href="${CONNECTED_APPS_PATH}">${locale.texts.connectedApps.title}</a></p>`,
  );
}

function memberRow(member: Member, { merchant, shop, members }: MembersView, { texts }: Locale): Html {
  const { merchantId, name, email, role } = member;
  const isLastOwner = role === "owner" && members.filter((other) => other.role === "owner").length === 1;
  const id = `member-${merchantId}`;
  return row(
    html`<p id="${id}"><b>${named(name)}</b>${merchantId === merchant.id && html` (${texts.members.you})`}</p>
<p class="fine">${named(email)} · ${texts.members.role[role]}</p>`,
    !isLastOwner &&
      html`<form method="get" action="${removalPath(shop.id, merchantId)}">
<button class="danger" aria-describedby="${id}">${texts.members.remove}</button>
</form>`,
  );
}

function invitationRow(invitation: PendingInvitation, { shop, token }: MembersView, locale: Locale): Html {
  const texts = locale.texts.members;
  const { id, email, role, expiresAt } = invitation;
  return row(
    html`<p id="invitation-${id}"><b>${named(email)}</b></p>
<p class="fine">${texts.role[role]} · ${texts.waitsUntil(day(expiresAt, locale))}</p>`,
    html`<form method="post" action="${withdrawalPath(shop.id)}">
<input type="hidden" name="token" value="${token}">
<input type="hidden" name="invitation" value="${id}">
<button class="danger" aria-describedby="invitation-${id}">${texts.withdraw}</button>
</form>`,
  );
}

function row(about: Html, action: HtmlValue): Html {
  return html`<li class="row"><div>${about}</div>${action}</li>`;
}

interface AddMemberView {
  readonly shop: Shop;
  readonly token: string;
  readonly problem?: MemberProblem;
  readonly email?: string;
  readonly role?: Role;
}

function addMemberView(view: AddMemberView, locale: Locale): Html {
  const { members: texts, signIn } = locale.texts;
  const { shop, token, problem, email = "", role: chosen = "member" } = view;
  const isWrong = problem === "email" || problem === "already_member";
  const invalid = isWrong && html` aria-invalid="true" aria-describedby="problem" autofocus`;
  return html`<h2 class="next">${texts.add}</h2>
<p class="fine">${texts.addLead}</p>
<form method="post" action="${invitationsPath(shop.id)}">
<input type="hidden" name="token" value="${token}">
<label for="email">${signIn.email}</label>
<input id="email" name="email" type="email" autocomplete="off" autocapitalize="none" spellcheck="false" maxlength="254" required value="${email}"${invalid}>
<div class="choices">${ROLES.toReversed().map(
    (
      role,
    ) => html`<p class="choice"><input id="role-${role}" name="role" type="radio" value="${role}"${role === chosen && html` checked`}>
<label for="role-${role}">${texts.role[role]}: ${texts.roleDoes[role]}</label></p>`,
  )}</div>
<div class="actions"><button class="primary">${texts.submit}</button></div>
</form>`;
}
