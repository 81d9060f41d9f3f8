import type { ClientSummary, MerchantAccount } from "@partner-connect/directory";
import { type Html, type HtmlValue, html } from "@partner-connect/service-runtime/html";
import type { FastifyReply } from "fastify";
import { layout, notice } from "../pages/layout.ts";
import type { Locale } from "../pages/locale.ts";
import { named, plainName } from "../pages/name.ts";
import type { PageContext } from "../pages/page-context.ts";
import type { ShownAgainBy } from "../pages/page-foot.view.ts";
import { sendMerchantPage } from "../pages/send-merchant-page.ts";
import type { PartnerTexts } from "../texts/en.ts";
import { SECTIONS, type Section, sectionPath, sectionRoute } from "./partner-paths.ts";

/** Who opens a page of a client, with the client as it stands. */
export interface PartnerPage {
  readonly client: ClientSummary;
  readonly account: MerchantAccount;
}

/** Why a form was refused. */
export interface Refusal {
  readonly status?: number;
  readonly problem?: (texts: PartnerTexts) => HtmlValue;
}

export const OUT_OF_DATE: Refusal = { status: 403, problem: ({ outOfDate }) => outOfDate };

export interface PartnerView {
  /** Of the window and the heading; plain text. Default: the section's. */
  readonly title?: string | false;
  readonly shownAgainBy?: ShownAgainBy | undefined;
  readonly body: HtmlValue;
}

/** One page of a client: the navigation of its sections, a heading, and the body. */
export function sendPartnerPage(
  { signIn }: Pick<PageContext, "signIn">,
  reply: FastifyReply,
  page: PartnerPage,
  section: Section,
  view: (texts: PartnerTexts, locale: Locale) => PartnerView,
  { status = 200, problem }: Refusal = {},
): FastifyReply {
  const { client, account } = page;
  const sections = SECTIONS.filter((each) => reply.server.hasRoute({ method: "GET", url: sectionRoute(each) }));
  const pageIn = (locale: Locale): Html => {
    const texts = locale.texts.partner;
    const { title: own, shownAgainBy, body } = view(texts, locale);
    const title = own || sectionTitle(texts, section);
    const link = (each: Section) =>
      html`<li><a href="${sectionPath(client.clientId, each)}"${each === section && html` aria-current="page"`}>${sectionTitle(texts, each)}</a></li>
`;
    return layout(
      locale,
      { title: `${title} · ${plainName(client.name)}`, width: "wide", ...(shownAgainBy && { shownAgainBy }) },
      html`<nav class="sections" aria-label="${plainName(client.name)}"><p>${named(client.name)}</p>
<ul class="foot-list">${sections.map(link)}</ul></nav>
<h1>${title}</h1>
${notice("problem", client.status === "disabled" && texts.disabled, false)}
${notice("problem", problem?.(texts))}
${body}`,
    );
  };
  return sendMerchantPage(reply, pageIn, { account: signIn.account(reply, account), status });
}

function sectionTitle(texts: PartnerTexts, section: Section): string {
  return texts[section === "test-shops" ? "testShops" : section].title;
}
