import { isScope, LANGUAGES, type Language, SCOPE_TITLES } from "@partner-connect/contract";
import type { MailKind, SecondFactorChange } from "./mail.ts";
import { type Contents, htmlPart, textPart } from "./parts.ts";
import de from "./texts/de.json" with { type: "json" };
import en from "./texts/en.json" with { type: "json" };
import es from "./texts/es.json" with { type: "json" };
import fr from "./texts/fr.json" with { type: "json" };

/** The texts of all mails, one file per language for translators. English is the reference. Words in braces are facts. */
const CATALOGUES: Readonly<Record<Language, MailTexts>> = { en, de, fr, es };

export type MailTexts = Readonly<Record<keyof typeof en, string>>;

/** What is known about a mail when it is sent, as people read it. What does not concern its kind is null. */
export interface MailFacts {
  /** How merchants know us. */
  readonly product: string;
  /** The product's color, such as `#12564b`; null: ours. */
  readonly color: string | null;
  /** The recipient's email. */
  readonly email: string;
  readonly name: string | null;
  readonly app: string | null;
  readonly shop: string | null;
  readonly scope: readonly string[];
  /** The actor: a merchant's name, or the app that ended its connection. Null: we. */
  readonly by: string | null;
  /** Why an operator ended a connection. */
  readonly reason: string | null;
  /** We ended a connection, as its app sent a used code again. */
  readonly isReplay: boolean;
  /** The recipient did it. */
  readonly byRecipient: boolean;
  /** The person who was added to the shop or app, or removed. */
  readonly person: string | null;
  readonly change: SecondFactorChange | null;
  readonly device: string | null;
  readonly address: string | null;
  readonly at: Date;
}

/** The absolute URLs that mails link to. */
export interface MailLinks {
  /** What the mail asks to do. Null: it only tells. */
  readonly action: string | null;
  /** The page that sets a new password; null where there are no passwords. */
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
  const words = { ...facts, host: new URL(links.connectedApps).host };
  const say = (text: string) =>
    text.replace(/\{(\w+)\}/g, (_, word: string) => String(words[word as keyof typeof words]));
  const title = say(texts[`${kind}.subject`]);
  const contents: Contents = {
    language: known,
    title,
    product: facts.product,
    color: facts.color ?? "#12564b",
    hello: say(facts.name === null ? texts.helloUnknown : texts.hello),
    lead: say(leadOf(kind, facts, texts)),
    facts: factsOf(kind, facts, texts, known),
    action: actionOf(kind, links, texts),
    note: kind in BY_LINK ? texts[`${kind as ByLink}.note`] : null,
    ifWrong: ifWrong(kind, facts, links, texts),
    footer: say(texts.footer),
  };
  return { subject: title, text: textPart(contents), html: htmlPart(contents).toString() };
}

function leadOf(kind: Exclude<MailKind, "none">, { by, isReplay }: MailFacts, texts: MailTexts): string {
  if (kind !== "app_disconnected" || (by !== null && !isReplay)) return texts[`${kind}.lead`];
  return texts[isReplay ? "app_disconnected.lead.replay" : "app_disconnected.lead.us"];
}

/** Mails that hold a link to do something. */
const BY_LINK = { new_account: true, reset_password: true };
type ByLink = keyof typeof BY_LINK;

/**
 * Others choose these names, and mail programs make links of what looks like one. An invisible joiner prevents that, so no name can lead
 * anywhere.
 */
function withoutLinks(facts: MailFacts): MailFacts {
  const safe = ["name", "app", "shop", "by", "person", "device"] as const;
  const names = safe.map((each) => [each, facts[each]?.replace(/[.:/@](?=\S)/g, "$&\u200c") ?? null]);
  return { ...facts, ...Object.fromEntries(names) };
}

function factsOf(kind: MailKind, facts: MailFacts, texts: MailTexts, language: Language): Contents["facts"] {
  if (kind in BY_LINK) return [];
  const titles = facts.scope.map((scope) => (isScope(scope) ? SCOPE_TITLES[language][scope] : scope));
  const by = facts.by ?? texts.us;
  const tellsBy = facts.shop !== null || /^client_/.test(kind);
  const all: readonly (readonly [string, string | null])[] = [
    ["", facts.change && texts[`change.${facts.change}`]],
    [texts["fact.app"], facts.app],
    [texts["fact.person"], facts.person],
    [texts["fact.shop"], facts.shop],
    [texts["fact.scope"], titles.length > 0 ? titles.join("\n") : null],
    [texts["fact.by"], tellsBy ? by : null],
    [texts["fact.reason"], facts.reason],
    [texts["fact.device"], facts.device],
    [texts["fact.address"], facts.address],
    [texts["fact.time"], timeText(facts.at, language)],
  ];
  return all.filter((entry): entry is readonly [string, string] => entry[1] !== null);
}

function actionOf(kind: Exclude<MailKind, "none">, links: MailLinks, texts: MailTexts): Contents["action"] {
  if (kind in BY_LINK)
    return links.action === null ? null : { label: texts[`${kind as ByLink}.action`], url: links.action };
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
  const choose = newPassword === null ? null : { label: texts.newPassword, url: newPassword };
  if (OF_ACCOUNT.has(kind)) {
    const apps = { label: texts.connectedApps, url: connectedApps };
    return choose
      ? { text: texts["ifWrong.account"], link: choose }
      : { text: texts["ifWrong.accountElsewhere"], link: apps };
  }
  if (kind !== "app_connected" && kind !== "app_widened") return null;
  return choose && (byRecipient || by === null)
    ? { text: texts["ifWrong.app"], link: choose }
    : { text: texts["ifWrong.appOnly"], link: null };
}

/** Includes the time zone, because the reader's is unknown. */
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
