import { isScope, LANGUAGES, type Language, SCOPE_TITLES } from "@partner-connect/contract";
import type { MailAbout, MailJob, MailKind, SecondFactorChange } from "./mail.ts";
import { htmlPart, type Part, textPart } from "./parts.ts";
import de from "./texts/de.json" with { type: "json" };
import en from "./texts/en.json" with { type: "json" };
import es from "./texts/es.json" with { type: "json" };
import fr from "./texts/fr.json" with { type: "json" };

/**
 * The texts of all mails, one file per language for translators. English is the reference. Words in
 * braces stand for facts.
 */
const CATALOGUES: Readonly<Record<Language, MailTexts>> = { en, de, fr, es };

export type MailTexts = Readonly<Record<keyof typeof en, string>>;

/** The operator's settings that mails show. */
export interface MailSite {
  /** PUBLIC_BASE_URL: mails link below it. */
  readonly base: string;
  /** PRODUCT_NAME, as merchants know it. */
  readonly product: string;
  /** PRODUCT_COLOR, such as `#12564b`; null for our own color. */
  readonly color: string | null;
  /** False with OIDC_ONLY, because merchants then have no passwords. */
  readonly hasPasswords: boolean;
}

/**
 * The recipient, and the names that the mail mentions, as of the sending. Null for a name that is
 * not mentioned, or was erased.
 */
export interface MailNames {
  readonly email: string;
  readonly name: string;
  readonly language: string | null;
  readonly app: string | null;
  readonly shop: string | null;
  /** The merchant who acted. */
  readonly by: string | null;
  /** The person who was added to the shop or app, or was removed: name and address. */
  readonly person: string | null;
}

export interface MailSource {
  readonly kind: SentKind;
  readonly job: Pick<MailJob, "merchant_id" | "shop_id" | "about">;
  readonly queuedAt: Date;
  readonly names: MailNames;
  readonly site: MailSite;
  /** The URL that sets a password; null for mails without such a link. */
  readonly resetUrl: string | null;
}

export interface ComposedMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

type SentKind = Exclude<MailKind, "none">;

/** The mail in the recipient's language, or in English if there is no translation. */
export function composeMail(source: MailSource): ComposedMail {
  const { kind, job, resetUrl, site } = source;
  const { product, color } = site;
  const names = preventLinks(source.names);
  const language = LANGUAGES.find((each) => each === names.language) ?? "en";
  const texts = CATALOGUES[language];
  const contact = job.about["contact"];
  const words = { ...names, product, contact, host: new URL(site.base).host };
  const say = (text: string) =>
    text.replace(/\{(\w+)\}/g, (_, word: string) => String(words[word as keyof typeof words]));
  const [title = "", lead = ""] = wordsOf(source, texts).map(say);
  const page = pageOf(source, texts);
  const isOfPassword = kind === "new_account" || kind === "reset_password";
  const contents = {
    ...{ language, title, product, color: color ?? "#12564b" },
    footer: { text: say(texts.footer), link: helpLink(source, texts) },
    parts: [
      { text: say(texts.hello) },
      { text: lead },
      ...(isOfPassword
        ? [
            { button: { label: texts.setPassword, url: resetUrl ?? "" } },
            { text: texts[`${kind}.note`] },
          ]
        : [
            { rows: rowsOf({ ...source, names }, texts, language) },
            ...(contact ? [{ text: say(texts["app_disconnected.kept"]) }] : []),
            { button: page && { ...page, label: say(page.label) } },
            ifWrongPart(source, texts),
          ]),
    ],
  };
  return { subject: title, text: textPart(contents), html: htmlPart(contents).toString() };
}

/**
 * Inserts a zero-width non-joiner (U+200C) after `.`, `:`, `/` and `@` in names that others chose,
 * because mail programs turn text that looks like a link into one.
 */
function preventLinks<Names extends object>(names: Names): Names {
  const safe = Object.entries(names).map(([key, name]) =>
    key === "email" ? [key, name] : [key, name?.replace(/[.:/@](?=\S)/g, "$&\u200c") ?? null],
  );
  return Object.fromEntries(safe);
}

/** The subject and the lead; a mail to the added or removed member of a shop says 'you'. */
function wordsOf({ kind, job: { about, merchant_id } }: MailSource, texts: MailTexts) {
  const isMember = kind === "member_added" || kind === "member_removed";
  const you = isMember && about["member_id"] === merchant_id && texts[`${kind}.you`];
  if (you) return [you, texts[`${kind}.you.lead`]];
  const by = about["by"] as MailAbout["app_disconnected"]["by"];
  if (kind === "app_disconnected") return [texts[`${kind}.subject`], texts[`${kind}.lead.${by}`]];
  return [texts[`${kind}.subject`], texts[`${kind}.lead`]];
}

function rowsOf(
  { kind, job: { about }, queuedAt, names, site }: MailSource,
  texts: MailTexts,
  language: Language,
) {
  const text = (key: string) => (typeof about[key] === "string" ? about[key] : null);
  const scope = Array.isArray(about["scope"]) ? about["scope"].map(String) : [];
  const by = { client: names.app, product: site.product }[String(about["by"])] ?? names.by;
  const facts = {
    app: names.app,
    shop: names.shop,
    scope:
      scope.map((each) => (isScope(each) ? SCOPE_TITLES[language][each] : each)).join("\n") || null,
    by: names.shop !== null || kind.startsWith("client_") ? (by ?? texts.us) : null,
    reason: text("reason"),
    device: preventLinks({ device: text("device") }).device,
    address: text("address"),
    time: timeText(queuedAt, language),
  };
  const change = text("change") as SecondFactorChange | null;
  const rows: (readonly [string, string | null])[] = [
    ["", change && texts[`change.${change}`]],
    ...Object.entries(facts).map(
      ([name, value]) => [texts[`fact.${name as keyof typeof facts}`], value] as const,
    ),
  ];
  return rows.filter((row): row is readonly [string, string] => row[1] !== null);
}

/** The page where the recipient sees, and can change, what the mail reports. */
function pageOf({ kind, job, site: { base } }: MailSource, texts: MailTexts) {
  const { client_id, connection_id, member_id } = job.about;
  const apps = connectedAppsLink(base, texts);
  if (kind.startsWith("client_"))
    return { label: texts.partnerPages, url: `${base}/partner/${client_id}` };
  if (kind === "app_connected" || kind === "app_widened")
    return { label: texts.app, url: `${apps.url}/${job.shop_id}/${connection_id}` };
  const isGone = kind === "member_removed" && member_id === job.merchant_id;
  return /^(?:app|member)_/.test(kind) && !isGone ? apps : undefined;
}

const connectedAppsLink = (base: string, texts: MailTexts) => ({
  label: texts.connectedApps,
  url: `${base}/oauth/connections`,
});

/** The answers of `/help` about these mails, by their ids. */
const HELP_ANSWERS: Readonly<Partial<Record<MailKind, string>>> = {
  ...{ app_connected: "who", app_widened: "who", app_disconnected: "connect-again" },
  ...{ member_added: "left", member_removed: "left", password_entered: "mail" },
  ...{ password_changed: "mail", second_factor_changed: "mail", new_device: "mail" },
};

function helpLink({ kind, site: { base } }: MailSource, texts: MailTexts) {
  const answer = HELP_ANSWERS[kind];
  return { label: texts.help, url: `${base}/help${answer ? `#${answer}` : ""}` };
}

/** What to do about an unexpected event. */
function ifWrongPart(source: MailSource, texts: MailTexts): Part {
  const { kind, job, names, site } = source;
  const choose = site.hasPasswords
    ? { label: texts.newPassword, url: `${site.base}/oauth/password/forgot` }
    : null;
  if (/^(?:member|address)_/.test(kind) || job.about["change"] === "removed_by_us")
    return { text: texts["ifWrong.byUs"], link: helpLink(source, texts) };
  switch (kind) {
    case "password_changed":
    case "second_factor_changed":
    case "new_device":
    case "password_entered":
      return choose
        ? { text: texts["ifWrong.account"], link: choose }
        : { text: texts["ifWrong.accountElsewhere"], link: connectedAppsLink(site.base, texts) };
    case "app_connected":
    case "app_widened":
      return choose && (names.by === null || job.about["by"] === job.merchant_id)
        ? { text: texts["ifWrong.app"], link: choose }
        : { text: texts["ifWrong.appOnly"] };
    default:
      return {};
  }
}

/** The time with its zone, UTC, because the reader's zone is unknown. */
function timeText(at: Date, language: Language): string {
  return at.toLocaleString(language === "en" ? "en-GB" : language, {
    ...{ day: "numeric", month: "long", year: "numeric" },
    ...{ hour: "2-digit", minute: "2-digit", hourCycle: "h23" },
    ...{ timeZone: "UTC", timeZoneName: "short" },
  });
}
