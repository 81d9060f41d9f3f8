import type { Group, MerchantAccount, Role } from "@partner-connect/directory";
import type { Html } from "@partner-connect/service-runtime/html";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { ShownAgainBy } from "../frame/page-foot.view.ts";
import type { PeoplePaths } from "../paths.ts";
import { stepRoutes } from "../step-routes.ts";
import type { Texts } from "../texts/en.ts";
import type { Locale } from "../texts/locale.ts";

/** Of a shop, as who is signed in sees it. */
export interface People {
  readonly merchant: MerchantAccount;
  readonly role: Role;
  readonly group: Group;
  readonly name: string;
  readonly paths: PeoplePaths;
}

/** The pages of the people of shops: where they are, who opens them, and what they say. */
export interface PeoplePages<Own extends People = People> {
  /** Patterns of the routes. */
  readonly routes: PeoplePaths;
  /** Where somebody goes who may no longer open the page of the people. */
  readonly home: string;
  /**
   * What the URL names. Null: it has answered. `pageOf`: which page the request leads back to after a sign-in; undefined for that of its
   * address.
   */
  open(request: PeopleRequest, reply: FastifyReply, purpose: Purpose, pageOf?: PageOf): Promise<Own | null>;
  texts(locale: Locale): PeopleTexts;
  send(
    reply: FastifyReply,
    own: Own,
    page: (locale: Locale) => PeoplePage,
    options?: { readonly status?: number },
  ): FastifyReply;
}

/** Looking at the people, changing who they are, or leaving them. */
export type Purpose = "look" | "change" | "leave";

export type PageOf = (request: PeopleRequest, reply: FastifyReply) => string | undefined;

export type PeopleRequest = FastifyRequest<{
  Params: { shopId?: string; merchantId?: string };
  Querystring: { done?: unknown; typed?: unknown; made?: unknown };
}>;

export interface PeoplePage {
  readonly kind: "list" | "link" | "removal";
  /** Of the window; plain text. */
  readonly title: string;
  readonly heading?: Html;
  readonly shownAgainBy?: ShownAgainBy;
  readonly content: Html;
}

export type PeopleTexts = Texts["members"];

/** Routes that begin with what the URL names. */
export function peopleSteps<Own extends People>(
  app: FastifyInstance,
  pages: PeoplePages<Own>,
  purpose: Purpose,
  pageOf?: PageOf,
) {
  return stepRoutes(app, (request: PeopleRequest, reply) => pages.open(request, reply, purpose, pageOf));
}
