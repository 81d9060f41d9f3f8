import type { Member, PendingInvitation } from "@partner-connect/directory";
import { ROLES, type Role } from "@partner-connect/directory";
import { type Html, type HtmlValue, html } from "@partner-connect/service-runtime/html";
import { notice } from "../frame/layout.ts";
import { day } from "../frame/moment.view.ts";
import { named, plainName } from "../frame/name.ts";
import type { MemberProblem } from "../texts/en.ts";
import type { Locale } from "../texts/locale.ts";
import type { People, PeoplePage, PeopleTexts } from "./people-pages.ts";

export interface PeopleView extends AddMemberView {
  readonly members: readonly Member[];
  readonly invitations: readonly PendingInvitation[];
  readonly done?: "removed" | "withdrawn" | "sent";
  /** Until another mail may go to the address that was typed. */
  readonly waitMinutes?: number;
}

const INVITE_FORM = "invite";

export function peopleView(view: PeopleView, texts: PeopleTexts, locale: Locale): PeoplePage {
  const { own, members, invitations, problem, done, waitMinutes } = view;
  const isOwner = own.role === "owner";
  return {
    kind: "list",
    title: texts.title(plainName(own.name)),
    heading: texts.heading(named(own.name)),
    ...(isOwner && { shownAgainBy: { form: INVITE_FORM, path: own.paths.look } }),
    content: html`<p class="lead">${texts.lead}</p>
${notice("done", done && (done === "sent" ? texts.byMail.sent : texts.done[done]))}
${notice("problem", waitMinutes !== undefined && texts.byMail.tooMany(waitMinutes))}
${notice("problem", problem && html`<span id="problem">${problem === "out_of_date" ? locale.texts.frame.outOfDate : texts.problem[problem]}</span>`, !isField(problem))}
<ul class="rows">${members.map((member) => memberRow(member, view, texts))}</ul>
${
  isOwner &&
  invitations.length > 0 &&
  html`<h2 class="next">${texts.waiting}</h2>
<ul class="rows">${invitations.map((invitation) => invitationRow(invitation, view, texts, locale))}</ul>`
}
${isOwner && addMemberView(view, texts, locale)}`,
  };
}

function memberRow(member: Member, { own, members, token }: PeopleView, texts: PeopleTexts): Html {
  const { merchantId, name, email, role } = member;
  const isLastOwner = role === "owner" && members.filter((other) => other.role === "owner").length === 1;
  const isYourself = merchantId === own.merchant.id;
  const id = `member-${merchantId}`;
  const other = role === "owner" ? "member" : "owner";
  return row(
    html`<p id="${id}"><b>${named(name)}</b>${isYourself && html` (${texts.you})`}</p>
<p class="fine">${named(email)} · ${texts.role[role]}</p>
${isLastOwner && own.role === "owner" && html`<p class="fine">${texts.lastOwner}</p>`}`,
    (isYourself || own.role === "owner") &&
      !isLastOwner &&
      html`<div class="row-actions">${
        own.role === "owner" &&
        html`<form method="post" action="${own.paths.role(merchantId)}">
<input type="hidden" name="token" value="${token}">
<button name="role" value="${other}" aria-describedby="${id}">${texts.makes[other]}</button>
</form>`
      }
<form method="get" action="${isYourself ? own.paths.leave : own.paths.removal(merchantId)}">
<button class="danger" aria-describedby="${id}">${isYourself ? texts.leave : texts.remove}</button>
</form></div>`,
  );
}

function invitationRow(
  invitation: PendingInvitation,
  { own, token, hasMail }: PeopleView,
  texts: PeopleTexts,
  locale: Locale,
): Html {
  const { id, email, role, expiresAt } = invitation;
  return row(
    html`<p id="invitation-${id}"><b>${named(email)}</b></p>
<p class="fine">${texts.role[role]} · ${texts.waitsUntil(day(expiresAt, locale))}</p>`,
    html`<form method="post" action="${own.paths.withdrawal}">
<input type="hidden" name="token" value="${token}">
<input type="hidden" name="invitation" value="${id}">
${hasMail && sendAgain(invitation, own.paths.invitations, texts.byMail.again)}
<button class="danger" aria-describedby="invitation-${id}">${texts.withdraw}</button>
</form>`,
  );
}

/** A new invitation in the place of the former one. */
function sendAgain({ id, email, role }: PendingInvitation, path: string, label: string): Html {
  return html`<input type="hidden" name="email" value="${email}">
<input type="hidden" name="role" value="${role}">
<button formaction="${path}" aria-describedby="invitation-${id}">${label}</button>`;
}

function row(about: Html, action: HtmlValue): Html {
  return html`<li class="row"><div>${about}</div>${action}</li>`;
}

/** Whether the problem is of the email that was typed. */
function isField(problem: MemberProblem | undefined): boolean {
  return problem === "email" || problem === "already_member";
}

interface AddMemberView {
  readonly own: People;
  readonly token: string;
  /** We send the invitation. */
  readonly hasMail: boolean;
  readonly problem?: MemberProblem;
  readonly email?: string;
  readonly role?: Role;
}

function addMemberView(view: AddMemberView, texts: PeopleTexts, { texts: { signIn } }: Locale): Html {
  const { own, token, hasMail, problem, email = "", role: chosen = "member" } = view;
  const { addLead, submit } = hasMail ? texts.byMail : texts;
  const invalid = isField(problem) && html` aria-invalid="true" aria-describedby="problem" autofocus`;
  return html`<h2 class="next">${texts.add}</h2>
<p class="fine">${addLead}</p>
<form method="post" action="${own.paths.invitations}" id="${INVITE_FORM}">
<input type="hidden" name="token" value="${token}">
<label for="email">${signIn.email}</label>
<input id="email" name="email" type="email" autocomplete="off" autocapitalize="none" spellcheck="false" maxlength="254" required value="${email}"${invalid}>
<div class="choices">${ROLES.toReversed().map(
    (
      role,
    ) => html`<p class="choice"><input id="role-${role}" name="role" type="radio" value="${role}"${role === chosen && html` checked`}>
<label for="role-${role}">${texts.role[role]}: ${texts.roleDoes[role]}</label></p>`,
  )}</div>
<div class="actions"><button class="primary">${submit}</button></div>
</form>`;
}
