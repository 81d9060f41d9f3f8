import { membersOfShop, pendingInvitations } from "@partner-connect/directory";
import type { FastifyInstance, FastifyReply } from "fastify";
import { beforeDeadline, type PageContext } from "../page-context.ts";
import { type PeopleView, peopleView } from "./people.view.ts";
import { type People, type PeoplePages, peopleSteps } from "./people-pages.ts";
import { typedInvitation } from "./typed-invitation.ts";

export function peopleRoute<Own extends People>(
  app: FastifyInstance,
  context: PageContext,
  pages: PeoplePages<Own>,
): void {
  peopleSteps(app, pages, "look").get(pages.routes.people, async (request, reply, own) => {
    const { done } = request.query;
    const isKnown = done === "removed" || done === "withdrawn" || done === "sent";
    const typed = typedInvitation(context, request);
    return await showPeoplePage(context, pages, reply, own, isKnown ? { ...typed, done } : typed);
  });
}

type PeopleMessage = Pick<PeopleView, "problem" | "done" | "email" | "role" | "waitMinutes">;

export async function showPeoplePage<Own extends People>(
  { sql, formTokens, mail }: PageContext,
  pages: PeoplePages<Own>,
  reply: FastifyReply,
  own: Own,
  message: PeopleMessage = {},
  status = 200,
): Promise<FastifyReply> {
  const [members, invitations] = await beforeDeadline(
    Promise.all([membersOf(sql, own), pendingInvitations(sql, own.group)]),
  );
  // For the forms of the page that name no person: adding and withdrawing.
  const token = formTokens.issue(reply, own.paths.invitations);
  const view = { own, members, invitations, token, hasMail: mail !== null, ...message };
  return pages.send(reply, own, (locale) => peopleView(view, pages.texts(locale), locale), { status });
}

export function membersOf(sql: PageContext["sql"], { group }: People) {
  return membersOfShop(sql, group.shopId);
}
