import type { Member, Merchant, PendingInvitation } from "@partner-connect/directory";
import { type Html, type HtmlValue, html } from "@partner-connect/service-runtime/html";
import { day } from "../merchant-page/frame/day.ts";
import { cardPage, notice } from "../merchant-page/frame/layout.ts";
import { named, plainName } from "../merchant-page/frame/name.ts";
import { CONNECTED_APPS_PATH } from "../merchant-page/paths.ts";
import type { Locale } from "../merchant-page/texts/locale.ts";
import { type AddMemberView, addMemberView } from "./add-member.view.ts";
import { removalPath, withdrawalPath } from "./members-paths.ts";

export interface MembersView extends AddMemberView {
  /** Who looks at the page. */
  readonly merchant: Merchant;
  readonly members: readonly Member[];
  readonly invitations: readonly PendingInvitation[];
  readonly done?: "removed" | "withdrawn";
}

/** Who belongs to a shop, who is invited, and the form that invites; for its owners. */
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
