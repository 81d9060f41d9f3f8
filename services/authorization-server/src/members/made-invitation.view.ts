import type { MadeInvitation, Shop } from "@partner-connect/directory";
import { type Html, html } from "@partner-connect/service-runtime/html";
import { day } from "../merchant-page/frame/day.ts";
import { cardPage } from "../merchant-page/frame/layout.ts";
import { named, plainName } from "../merchant-page/frame/name.ts";
import { membersPath } from "../merchant-page/paths.ts";
import type { Locale } from "../merchant-page/texts/locale.ts";

export interface MadeInvitationView {
  readonly shop: Shop;
  readonly made: MadeInvitation;
  readonly link: string;
}

/** The link of an invitation, which this page alone ever shows. */
export function madeInvitationView(view: MadeInvitationView, locale: Locale): Html {
  const texts = locale.texts.members.made;
  const { shop, made, link } = view;
  return cardPage(
    locale,
    { title: texts.title, width: "medium" },
    html`<p class="lead">${texts.lead(html`<strong>${named(made.email)}</strong>`, day(made.expiresAt, locale))}</p>
<h2 class="label" id="link">${texts.link}</h2>
<p class="copied" aria-labelledby="link"><code>${link}</code></p>
<p class="fine">${texts.once}</p>
<div class="actions"><a class="button primary" href="${mailTo(view, locale)}">${texts.mail}</a>
<a class="button" href="${membersPath(shop.id)}">${texts.back}</a></div>`,
  );
}

/** Opens the owner's own mail program. RFC 6068. */
function mailTo({ shop, made, link }: MadeInvitationView, { texts }: Locale): string {
  const { mailSubject, mailText } = texts.members.made;
  const name = plainName(shop.name);
  const body = `${mailText(name)}\r\n\r\n${link}\r\n`;
  return `mailto:${encodeURIComponent(made.email)}?subject=${encodeURIComponent(mailSubject(name))}&body=${encodeURIComponent(body)}`;
}
