import { DirectoryError, inviteMember, type MadeInvitation, withdrawInvitation } from "@partner-connect/directory";
import { html } from "@partner-connect/service-runtime/html";
import type { FastifyInstance, FastifyReply } from "fastify";
import { notFoundPage } from "../errors/error-page.ts";
import { formField } from "../forms/form-token.ts";
import { day } from "../frame/moment.view.ts";
import { named, plainName } from "../frame/name.ts";
import { redirectTo } from "../frame/send-merchant-page.ts";
import { beforeDeadline, merchantActor, type PageContext } from "../page-context.ts";
import { INVITATION_PATH } from "../paths.ts";
import type { MemberProblem } from "../texts/en.ts";
import { isLanguage, type Locale, languageCookie } from "../texts/locale.ts";
import { showPeoplePage } from "./people.route.ts";
import {
  type People,
  type PeoplePage,
  type PeoplePages,
  type PeopleRequest,
  type PeopleTexts,
  peopleSteps,
} from "./people-pages.ts";
import { postedInvitation, typedQuery } from "./typed-invitation.ts";

const PROBLEMS: Readonly<Record<string, MemberProblem>> = {
  INVALID_EMAIL: "email",
  ALREADY_MEMBER: "already_member",
  TOO_MANY_INVITATIONS: "too_many",
};

export function inviteRoute<Own extends People>(
  app: FastifyInstance,
  context: PageContext,
  pages: PeoplePages<Own>,
): void {
  const { sql, formTokens, sealed, publicBaseUrl, mail } = context;
  const languages = languageCookie(publicBaseUrl);
  const { invitations, look, withdrawal } = pages.routes;

  // The invitation that was just made, in any language. Without it, and after a withdrawal, the address leads back to the people.
  for (const path of [invitations, withdrawal]) {
    peopleSteps(app, pages, "look").get(path, (request, reply, own) => {
      const made = sealed.open(request, linkPurpose(own), formField(request.query, "made"));
      if (made === null) return redirectTo(reply, own.paths.people);
      return pages.send(reply, own, (locale) => madeInvitationView(own, JSON.parse(made), pages.texts(locale), locale));
    });
  }

  // The page in another language, with what is typed. It changes nothing but the language, so it needs no token.
  app.post(look, async (request: PeopleRequest, reply) => {
    const language = formField(request.body, "language");
    if (isLanguage(language)) languages.set(reply, language);
    return redirectTo(reply, typedPath(request, reply));
  });

  peopleSteps(app, pages, "change", typedPath).post(invitations, async (request, reply, own) => {
    const { merchant, group, paths } = own;
    const { email, role } = postedInvitation(request);
    const refuse = (problem: MemberProblem, status: number) =>
      showPeoplePage(context, pages, reply, own, { problem, email, role }, status);
    if (!formTokens.isValid(request, paths.invitations)) return await refuse("out_of_date", 403);
    const wait = (await mail?.allow(request, "invitation", email)) ?? null;
    if (wait !== null) {
      reply.header("retry-after", wait.seconds);
      return await showPeoplePage(context, pages, reply, own, { waitMinutes: wait.minutes, email, role }, 429);
    }
    let made: MadeInvitation;
    try {
      const invitation = { ...group, email, role, byOwner: merchant.id, byMail: mail !== null };
      made = await beforeDeadline(inviteMember(sql, invitation, merchantActor(request, merchant)));
    } catch (error) {
      if (!(error instanceof DirectoryError)) throw error;
      if (error.code === "NOT_AN_OWNER") return notFoundPage(reply);
      const problem = PROBLEMS[error.code];
      if (!problem) throw error;
      return await refuse(problem, 422);
    }
    request.log.info({ merchant_id: merchant.id, ...logged(own), role }, "member invited");
    if (mail !== null) return redirectTo(reply, `${paths.people}?done=sent`);
    const link = `${publicBaseUrl}${INVITATION_PATH}?link=${made.token}`;
    const shown: ShownLink = { link, email: made.email, expiresAt: made.expiresAt.getTime() };
    const sealedLink = sealed.seal(reply, linkPurpose(own), JSON.stringify(shown));
    return redirectTo(reply, `${paths.invitations}?made=${sealedLink}`);
  });

  peopleSteps(app, pages, "change").post(withdrawal, async (request, reply, own) => {
    const { merchant, group, paths } = own;
    if (!formTokens.isValid(request, paths.invitations)) {
      return await showPeoplePage(context, pages, reply, own, { problem: "out_of_date" }, 403);
    }
    const invitation = { ...group, id: formField(request.body, "invitation"), byOwner: merchant.id };
    const isDone = await beforeDeadline(withdrawInvitation(sql, invitation, merchantActor(request, merchant)));
    return redirectTo(reply, `${paths.people}${isDone ? "?done=withdrawn" : ""}`);
  });

  /** The page of the people with the posted form filled in again. */
  function typedPath(request: PeopleRequest, reply: FastifyReply): string {
    const { shopId = "" } = request.params;
    const people = pages.routes.people.replace(":shopId", shopId);
    return people + typedQuery(context, request, reply);
  }
}

interface ShownLink {
  readonly link: string;
  readonly email: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** Which group, for the log. */
export function logged({ group }: People) {
  return { shop_id: group.shopId };
}

/** The link is in the page's URL, sealed: only this browser can show it, for an hour. */
function linkPurpose({ group }: People): string {
  return `invitation link of ${group.shopId}`;
}

/** The link of an invitation, which this page alone ever shows. */
function madeInvitationView(
  own: People,
  { link, email, expiresAt }: ShownLink,
  { made: texts }: PeopleTexts,
  locale: Locale,
): PeoplePage {
  const name = plainName(own.name);
  // The owner's own mail program (RFC 6068).
  const body = encodeURIComponent(`${texts.mailText(name)}\r\n\r\n${link}\r\n`);
  const mailTo = `mailto:${encodeURIComponent(email)}?subject=${encodeURIComponent(locale.texts.invitation.title(name))}&body=${body}`;
  return {
    kind: "link",
    title: texts.title,
    content: html`<p class="lead">${texts.lead(html`<strong>${named(email)}</strong>`, day(new Date(expiresAt), locale))}</p>
<h2 class="label" id="link">${texts.link}</h2>
<p class="copied" aria-labelledby="link"><code>${link}</code></p>
<p class="fine">${texts.once}</p>
<div class="actions"><a class="button primary" href="${mailTo}">${texts.mail}</a>
<a class="button" href="${own.paths.people}">${texts.back}</a></div>`,
  };
}
