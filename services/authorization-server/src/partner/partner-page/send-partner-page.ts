import type { ClientOfMember, MerchantAccount } from "@partner-connect/directory";
import { type Html, type HtmlValue, html } from "@partner-connect/service-runtime/html";
import type { FastifyReply } from "fastify";
import { layout, notice } from "../../merchant-page/frame/layout.ts";
import { named, plainName } from "../../merchant-page/frame/name.ts";
import type { ShownAgainBy } from "../../merchant-page/frame/page-foot.view.ts";
import { sendMerchantPage } from "../../merchant-page/frame/send-merchant-page.ts";
import type { PageContext } from "../../merchant-page/page-context.ts";
import type { Locale } from "../../merchant-page/texts/locale.ts";
import { SECTIONS, type Section, sectionPath, sectionRoute } from "./partner-paths.ts";
import type { PartnerTexts } from "./texts/en.ts";
import { partnerTexts, sectionTitle } from "./texts/partner-texts.ts";

/** Who opens a page of a client, with the client as it stands. */
export interface PartnerPage extends ClientOfMember {
  readonly account: MerchantAccount;
}

export type PartnerPageContent = { readonly section: Section; readonly status?: number } & (
  | {
      /** Of the window and the heading; plain text. Default: the section's. */
      readonly title?: (texts: PartnerTexts) => string;
      readonly body: (texts: PartnerTexts, locale: Locale) => HtmlValue;
    }
  | { readonly view: (locale: Locale) => PartnerView }
);

interface PartnerView {
  readonly title: string;
  readonly shownAgainBy?: ShownAgainBy | undefined;
  readonly body: HtmlValue;
}

/** One page of a client: the navigation of its sections, a heading, and the body. */
export function sendPartnerPage(
  { signIn }: Pick<PageContext, "signIn">,
  reply: FastifyReply,
  page: PartnerPage,
  content: PartnerPageContent,
): FastifyReply {
  const sections = SECTIONS.filter((section) => reply.server.hasRoute({ method: "GET", url: sectionRoute(section) }));
  const account = signIn.account(reply, page.account);
  return sendMerchantPage(reply, (locale) => partnerPageView(page, content, sections, locale), {
    account,
    status: content.status ?? 200,
  });
}

function viewOf(content: PartnerPageContent, locale: Locale): PartnerView {
  if ("view" in content) return content.view(locale);
  const texts = partnerTexts(locale);
  return { title: content.title?.(texts) ?? sectionTitle(texts, content.section), body: content.body(texts, locale) };
}

function partnerPageView(
  { client }: PartnerPage,
  content: PartnerPageContent,
  sections: readonly Section[],
  locale: Locale,
): Html {
  const texts = partnerTexts(locale);
  const { title, shownAgainBy, body } = viewOf(content, locale);
  return layout(
    locale,
    { title: `${title} · ${plainName(client.name)}`, width: "wide", ...(shownAgainBy && { shownAgainBy }) },
    html`<nav class="sections" aria-label="${plainName(client.name)}"><p>${named(client.name)}</p>
<ul class="foot-list">${sections.map(
      (each) =>
        html`<li><a href="${sectionPath(client.clientId, each)}"${each === content.section && html` aria-current="page"`}>${sectionTitle(texts, each)}</a></li>
`,
    )}</ul></nav>
<h1>${title}</h1>
${notice("problem", client.status === "disabled" && texts.disabled, false)}
${body}`,
  );
}
