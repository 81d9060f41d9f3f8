import { isScope, LANGUAGES, type Language, SCOPE_TITLES } from "@partner-connect/contract";
import type { MailKind, SecondFactorChange } from "./mail.ts";
import { htmlPart, type Part, textPart } from "./parts.ts";
import de from "./texts/de.json" with { type: "json" };
import en from "./texts/en.json" with { type: "json" };
import es from "./texts/es.json" with { type: "json" };
import fr from "./texts/fr.json" with { type: "json" };

/** The texts of all mails, one file per language for translators. English is the reference. Words in braces are facts. */
const CATALOGUES: Readonly<Record<Language, MailTexts>> = { en, de, fr, es };

export type MailTexts = Readonly<Record<keyof typeof en, string>>;

/** The facts of a mail, in readable form, as they are when it is sent. Fields that its kind does not use are null. */
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
  /** The action that the mail asks for. Null: it only informs. */
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
  const contents = {
    ...{ language: known, title, product: facts.product, color: facts.color ?? "#12564b", footer: say(texts.footer) },
    parts: [
      { text: say(facts.name === null ? texts.helloUnknown : texts.hello) },
      { text: say(leadOf(kind, facts, texts)) },
      ...(isByLink(kind) ? [] : [{ rows: rowsOf(kind, facts, texts, known) }]),
      actionOf(kind, links, texts),
      ...(isByLink(kind) ? [{ text: texts[`${kind}.note`] }] : []),
      ifWrong(kind, facts, links, texts),
    ],
  };
  return { subject: title, text: textPart(contents), html: htmlPart(contents).toString() };
}

function leadOf(kind: Exclude<MailKind, "none">, { by, isReplay }: MailFacts, texts: MailTexts): string {
  if (kind !== "app_disconnected" || (by !== null && !isReplay)) return texts[`${kind}.lead`];
  return texts[isReplay ? "app_disconnected.lead.replay" : "app_disconnected.lead.us"];
}

/** Whether the mail holds a link to set a password. */
function isByLink(kind: MailKind): kind is "new_account" | "reset_password" {
  return kind === "new_account" || kind === "reset_password";
}

/**
 * Others choose these names, and mail programs make links of what looks like one. An invisible joiner prevents that, so no name can lead
 * anywhere.
 */
function withoutLinks(facts: MailFacts): MailFacts {
  const safe = ["name", "app", "shop", "by", "person", "device"] as const;
  const names = safe.map((each) => [each, facts[each]?.replace(/[.:/@](?=\S)/g, "$&\u200c") ?? null]);
  return { ...facts, ...Object.fromEntries(names) };
}

function rowsOf(kind: MailKind, facts: MailFacts, texts: MailTexts, language: Language) {
  const titles = facts.scope.map((scope) => (isScope(scope) ? SCOPE_TITLES[language][scope] : scope));
  const tellsBy = facts.shop !== null || kind.startsWith("client_");
  const all: readonly (readonly [string, string | null])[] = [
    ["", facts.change && texts[`change.${facts.change}`]],
    [texts["fact.app"], facts.app],
    [texts["fact.shop"], facts.shop],
    [texts["fact.scope"], titles.join("\n") || null],
    [texts["fact.by"], tellsBy ? (facts.by ?? texts.us) : null],
    [texts["fact.reason"], facts.reason],
    [texts["fact.device"], facts.device],
    [texts["fact.address"], facts.address],
    [texts["fact.time"], timeText(facts.at, language)],
  ];
  return all.filter((entry): entry is readonly [string, string] => entry[1] !== null);
}

function actionOf(kind: MailKind, { action, partner, connectedApps }: MailLinks, texts: MailTexts): Part {
  if (isByLink(kind)) return action === null ? {} : { button: { label: texts.setPassword, url: action } };
  if (kind.startsWith("client_"))
    return partner === null ? {} : { button: { label: texts.partnerPages, url: partner } };
  return /^(?:app|member)_/.test(kind) ? { button: { label: texts.connectedApps, url: connectedApps } } : {};
}

/** Only what gives access, or may have been done by somebody who knows the password, can be wrong. */
function ifWrong(
  kind: MailKind,
  { byRecipient, by }: MailFacts,
  { newPassword, connectedApps }: MailLinks,
  texts: MailTexts,
): Part {
  const choose = newPassword === null ? null : { label: texts.newPassword, url: newPassword };
  switch (kind) {
    case "password_changed":
    case "second_factor_changed":
    case "new_device":
      return choose
        ? { text: texts["ifWrong.account"], link: choose }
        : { text: texts["ifWrong.accountElsewhere"], link: { label: texts.connectedApps, url: connectedApps } };
    case "app_connected":
    case "app_widened":
      return choose && (byRecipient || by === null)
        ? { text: texts["ifWrong.app"], link: choose }
        : { text: texts["ifWrong.appOnly"] };
    default:
      return {};
  }
}

/** Includes the time zone, because the reader's is unknown. */
function timeText(at: Date, language: Language): string {
  const date = { day: "numeric", month: "long", year: "numeric", hour: "2-digit", minute: "2-digit" } as const;
  const zone = { hourCycle: "h23", timeZone: "UTC", timeZoneName: "short" } as const;
  return new Intl.DateTimeFormat(language === "en" ? "en-GB" : language, { ...date, ...zone }).format(at);
}
