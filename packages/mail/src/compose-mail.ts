import { isScope, LANGUAGES, type Language, SCOPE_TITLES } from "@partner-connect/contract";
import type { MailKind } from "./mail.ts";
import { type Contents, htmlPart, textPart } from "./parts.ts";
import { de } from "./texts/de.ts";
import { en, type MailTexts } from "./texts/en.ts";
import { es } from "./texts/es.ts";
import { fr } from "./texts/fr.ts";
import type { MailFacts } from "./texts/mail-facts.ts";

const CATALOGUES: Readonly<Record<Language, MailTexts>> = { en, de, fr, es };

/** Where the links of a mail lead: absolute URLs. */
export interface MailLinks {
  /** What the mail asks to do. Null: it only tells. */
  readonly action: string | null;
  /** Where a new password is chosen; null: nobody has one. */
  readonly newPassword: string | null;
  readonly connectedApps: string;
  /** The partner pages of the client, where the mail is about one. */
  readonly partner: string | null;
}

export interface ComposedMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** The mail in this language; in English where it is not one of ours. */
export function composeMail(
  kind: Exclude<MailKind, "none">,
  given: MailFacts,
  links: MailLinks,
  language: string | null,
): ComposedMail {
  const known = LANGUAGES.find((each) => each === language) ?? "en";
  const texts = CATALOGUES[known];
  const facts = withoutLinks(given);
  const { subject, lead, ...more } = texts[kind];
  const title = subject(facts);
  const contents: Contents = {
    language: known,
    title,
    hello: facts.name === null ? texts.helloUnknown : texts.hello(facts.name),
    lead: lead(facts),
    facts: factsOf(kind, facts, texts, known),
    action: actionOf(kind, links, texts),
    note: "note" in more ? more.note : null,
    ifWrong: ifWrong(kind, facts, links, texts),
    footer: texts.footer(facts.product, new URL(links.connectedApps).host),
  };
  return { subject: title, text: textPart(contents), html: htmlPart(contents).toString() };
}

/**
 * Others choose these names, and mail programs make links of what looks like one. An invisible joiner prevents that, so no name can lead
 * anywhere.
 */
function withoutLinks(facts: MailFacts): MailFacts {
  const safe = (name: string | null) => name?.replace(/[.:/@](?=\S)/g, "$&\u200c") ?? null;
  const { name, app, shop, by, person, device } = facts;
  return {
    ...facts,
    name: safe(name),
    app: safe(app),
    shop: safe(shop),
    by: safe(by),
    person: safe(person),
    device: safe(device),
  };
}

function factsOf(kind: MailKind, facts: MailFacts, texts: MailTexts, language: Language): Contents["facts"] {
  if (kind in WITHOUT_FACTS) return [];
  const { fact } = texts;
  const titles = facts.scope.map((scope) => (isScope(scope) ? SCOPE_TITLES[language][scope] : scope));
  const by = facts.by ?? texts.us;
  const tellsBy = facts.shop !== null || /^client_/.test(kind);
  const all: readonly (readonly [string, string | null])[] = [
    ["", facts.change && texts.second_factor_changed.change[facts.change]],
    [fact.app, facts.app],
    [fact.person, facts.person],
    [fact.shop, facts.shop],
    [fact.scope, titles.length > 0 ? titles.join("\n") : null],
    [fact.by, tellsBy ? by : null],
    [fact.device, facts.device],
    [fact.address, facts.address],
    [fact.time, timeText(facts.at, language)],
  ];
  return all.filter((entry): entry is readonly [string, string] => entry[1] !== null);
}

const WITHOUT_FACTS = { new_account: true, reset_password: true, test: true };

function actionOf(kind: Exclude<MailKind, "none">, links: MailLinks, texts: MailTexts): Contents["action"] {
  const own = texts[kind];
  if ("action" in own) return links.action === null ? null : { label: own.action, url: links.action };
  if (kind.startsWith("client_"))
    return links.partner === null ? null : { label: texts.partnerPages, url: links.partner };
  return /^(?:app|member)_/.test(kind) ? { label: texts.connectedApps, url: links.connectedApps } : null;
}

const OF_ACCOUNT: ReadonlySet<MailKind> = new Set(["password_changed", "second_factor_changed", "new_device"]);

/** Only what gives access, or may have been done by somebody who knows the password, can be wrong. */
function ifWrong(
  kind: MailKind,
  { byRecipient, by }: MailFacts,
  { newPassword, connectedApps }: MailLinks,
  texts: MailTexts,
): Contents["ifWrong"] {
  const { app, account, appOnly, accountElsewhere } = texts.ifWrong;
  const choose = newPassword === null ? null : { label: texts.newPassword, url: newPassword };
  if (OF_ACCOUNT.has(kind)) {
    const apps = { label: texts.connectedApps, url: connectedApps };
    return choose ? { text: account, link: choose } : { text: accountElsewhere, link: apps };
  }
  if (kind !== "app_connected" && kind !== "app_widened") return null;
  return choose && (byRecipient || by === null) ? { text: app, link: choose } : { text: appOnly, link: null };
}

/** With its zone, as nobody knows the reader's. */
function timeText(at: Date, language: Language): string {
  const date = { year: "numeric", month: "long", day: "numeric" } as const;
  const time = {
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
    timeZone: "UTC",
    timeZoneName: "short",
  } as const;
  return new Intl.DateTimeFormat(language === "en" ? "en-GB" : language, { ...date, ...time }).format(at);
}
