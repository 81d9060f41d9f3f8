import { DirectoryError, type Member, removeMember } from "@partner-connect/directory";
import { html } from "@partner-connect/service-runtime/html";
import type { FastifyInstance, FastifyReply } from "fastify";
import { notFoundPage } from "../errors/error-page.ts";
import { type ConfirmationForm, confirmation } from "../forms/confirmation.view.ts";
import { notice } from "../frame/layout.ts";
import { named, plainName } from "../frame/name.ts";
import { redirectTo } from "../frame/send-merchant-page.ts";
import { beforeDeadline, merchantActor, type PageContext } from "../page-context.ts";
import { stepRoutes } from "../step-routes.ts";
import type { Locale } from "../texts/locale.ts";
import { logged } from "./invite.route.ts";
import { membersOf, showPeoplePage } from "./people.route.ts";
import type { People, PeoplePage, PeoplePages, PeopleRequest, PeopleTexts } from "./people-pages.ts";

/** Owners remove anybody; anybody leaves. */
export function removalRoute<Own extends People>(
  app: FastifyInstance,
  context: PageContext,
  pages: PeoplePages<Own>,
): void {
  const { sql, formTokens } = context;
  for (const isLeaving of [false, true]) {
    const path = isLeaving ? pages.routes.leave : pages.routes.removal(":merchantId");
    const steps = stepRoutes(app, (request: PeopleRequest, reply) => removedOf(request, reply, isLeaving));
    steps.get(path, showRemovalPage);
    steps.post(path, remove);
  }

  /** The member that the URL names, or who leaves. A person who does not belong to the group is not found. Null: it has answered. */
  async function removedOf(request: PeopleRequest, reply: FastifyReply, isLeaving: boolean) {
    const own = await pages.open(request, reply, isLeaving ? "leave" : "change");
    if (!own) return null;
    const members = await beforeDeadline(membersOf(sql, own));
    const id = isLeaving ? own.merchant.id : request.params.merchantId;
    const member = members.find(({ merchantId }) => merchantId === id);
    if (!member) {
      notFoundPage(reply);
      return null;
    }
    const path = isLeaving ? own.paths.leave : own.paths.removal(member.merchantId);
    const isLastOwner = member.role === "owner" && members.filter(({ role }) => role === "owner").length === 1;
    return { own, member, isLeaving, isLastOwner, path };
  }

  async function remove(request: PeopleRequest, reply: FastifyReply, removed: Removed<Own>): Promise<FastifyReply> {
    const { own, member, isLeaving, path } = removed;
    const { merchant, group } = own;
    const { merchantId } = member;
    if (!formTokens.isValid(request, path)) return showRemovalPage(request, reply, removed, 403);
    try {
      const removal = { ...group, merchantId, byOwner: isLeaving ? undefined : merchant.id };
      await beforeDeadline(removeMember(sql, removal, merchantActor(request, merchant)));
    } catch (error) {
      if (!(error instanceof DirectoryError)) throw error;
      if (error.code !== "LAST_OWNER") return notFoundPage(reply);
      return await showPeoplePage(context, pages, reply, own, { problem: "last_owner" }, 422);
    }
    request.log.info({ merchant_id: merchant.id, ...logged(own), removed: merchantId }, "member removed");
    const isYourself = merchantId === merchant.id;
    return redirectTo(reply, isYourself ? pages.home : `${own.paths.people}?done=removed`);
  }

  function showRemovalPage(_: PeopleRequest, reply: FastifyReply, removed: Removed<Own>, status = 200): FastifyReply {
    const { own, path } = removed;
    const back = own.role === "owner" ? own.paths.people : pages.home;
    const form = { action: path, token: formTokens.issue(reply, path), back };
    return pages.send(reply, own, (locale) => removalView(removed, form, status !== 200, pages.texts(locale), locale), {
      status,
    });
  }
}

interface Removed<Own extends People = People> {
  readonly own: Own;
  readonly member: Member;
  /** The member is who is signed in, whatever her role. */
  readonly isLeaving: boolean;
  /** So she can't be removed. */
  readonly isLastOwner: boolean;
  /** Of the page and its form. */
  readonly path: string;
}

function removalView(
  { own, member, isLeaving, isLastOwner }: Removed,
  form: ConfirmationForm,
  isOutOfDate: boolean,
  all: PeopleTexts,
  { texts: { frame } }: Locale,
): PeoplePage {
  const { removal: texts } = all;
  const [name, from] = [named(member.name), named(own.name)];
  const [title, heading] = isLeaving
    ? [all.leaveTitle(plainName(own.name)), all.leaveHeading(from)]
    : [texts.title(plainName(member.name)), texts.heading(name, from)];
  if (isLastOwner) {
    return {
      title,
      kind: "removal",
      content: html`<p class="lead">${all.problem.last_owner}</p>
<div class="actions"><a class="button primary" href="${own.paths.people}">${all.manage}</a></div>`,
    };
  }
  const consequences = isLeaving ? all.leaveConsequences : texts.consequences(name);
  return {
    title,
    heading,
    kind: "removal",
    content: html`${notice("problem", isOutOfDate && frame.outOfDate)}
<p class="lead">${named(member.email)}</p>
${member.merchantId === own.merchant.id && html`<p class="lead"><strong>${texts.yourself}</strong></p>`}
<ul class="plain">${consequences.map((line) => html`<li>${line}</li>`)}</ul>
${isLeaving ? confirmation(form, all.leave, texts.stay) : confirmation(form, all.remove, texts.keep)}`,
  };
}
