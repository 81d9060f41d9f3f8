import { html } from "@partner-connect/service-runtime/html";
import type { FastifyInstance } from "fastify";
import type { PageContext } from "../../merchant-page/page-context.ts";
import { PARTNER_PATH, peoplePaths } from "../../merchant-page/paths.ts";
import { peopleRoutes } from "../../merchant-page/people/index.ts";
import type { People, PeoplePages, PeopleTexts } from "../../merchant-page/people/people-pages.ts";
import type { Locale } from "../../merchant-page/texts/locale.ts";
import { ownerOf, partnerOf } from "../partner-page/partner-of.ts";
import { sectionPath } from "../partner-page/partner-paths.ts";
import { type PartnerPage, sendPartnerPage } from "../partner-page/send-partner-page.ts";
import { partnerTexts } from "../partner-page/texts/partner-texts.ts";

interface ClientPeople extends People {
  readonly page: PartnerPage;
}

/** Who sees the pages of a client. All of them see the list; owners change it. */
export function teamRoutes(app: FastifyInstance, context: PageContext): void {
  const pages: PeoplePages<ClientPeople> = {
    routes: pathsOf(":clientId"),
    home: PARTNER_PATH,
    async open(request, reply, purpose, pageOf) {
      const back = pageOf?.(request, reply);
      const page = await (purpose === "change"
        ? ownerOf(context, request, reply, "team", back)
        : partnerOf(context, request, reply, back));
      if (!page) return null;
      const { account, role, client } = page;
      const { clientId, name } = client;
      return { page, merchant: account, role, name, group: { clientId }, paths: pathsOf(clientId) };
    },
    texts: teamTexts,
    send: (reply, { page }, view, options) =>
      sendPartnerPage(
        context,
        reply,
        page,
        "team",
        (_, locale) => {
          const { kind, title, shownAgainBy, content } = view(locale);
          return {
            title: kind !== "list" && title,
            shownAgainBy,
            body: html`<section class="card">${content}</section>`,
          };
        },
        options,
      ),
  };
  peopleRoutes(app, context, pages);
}

function pathsOf(clientId: string) {
  return peoplePaths(sectionPath(clientId, "overview"), "team");
}

/** What shops' people read, with what is said otherwise of an app's. */
function teamTexts(locale: Locale): PeopleTexts {
  const { members } = locale.texts;
  const { people } = partnerTexts(locale).team;
  return {
    ...members,
    ...people,
    problem: { ...members.problem, ...people.problem },
    done: { ...members.done, ...people.done },
    made: { ...members.made, ...people.made },
    removal: { ...members.removal, ...people.removal },
  };
}
