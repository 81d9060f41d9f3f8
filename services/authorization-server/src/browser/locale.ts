import type { FastifyReply, FastifyRequest } from "fastify";
import Negotiator from "negotiator";
import { PARTNER_PATH } from "../pages/paths.ts";
import { de } from "../texts/de.ts";
import { en, type Texts } from "../texts/en.ts";
import { es } from "../texts/es.ts";
import { fr } from "../texts/fr.ts";
import { merchantCookie } from "./cookie.ts";

/** The texts and the locale in which a page is written. */
export interface Language {
  readonly texts: Texts;
  /** A BCP 47 tag, such as `en-GB`. */
  readonly tag: string;
}

/** The languages, in the order in which a page offers them. */
export const LANGUAGES: readonly Texts[] = [en, de, fr, es];
const CATALOGUES: ReadonlyMap<string, Texts> = new Map(
  LANGUAGES.map((texts) => [texts.language, texts]),
);
/** The default language, and the only one of the partner pages and the guides. */
export const ENGLISH: Language = { texts: en, tag: "en" };

/**
 * Maximum characters of `Accept-Language` that are read, because parsing takes time. No reader's
 * list of languages is longer.
 */
const MAX_LENGTH = 1000;

/**
 * The language that the reader `chose`, or else the first of `Accept-Language` that we have, or
 * else English. The tag is the browser's, because it includes the country.
 */
export function languageOf(
  acceptLanguage: string | undefined,
  chose: string | null = null,
): Language {
  const asked = [...acceptedLanguages(acceptLanguage)];
  const chosen = chose === null ? undefined : CATALOGUES.get(chose);
  if (!chosen) return asked[0] ?? ENGLISH;
  return asked.find(({ texts }) => texts === chosen) ?? { texts: chosen, tag: chosen.language };
}

export function isLanguage(name: string): boolean {
  return CATALOGUES.has(name);
}

function* acceptedLanguages(acceptLanguage: string | undefined): Generator<Language> {
  const headers = { "accept-language": acceptLanguage?.slice(0, MAX_LENGTH) };
  for (const tag of new Negotiator({ headers }).languages()) {
    const texts = CATALOGUES.get(tag.slice(0, tag.search(/-|$/)).toLowerCase());
    if (texts) yield { texts, tag: canonicalTag(tag) ?? texts.language };
  }
}

/** The tag in canonical case; undefined if it is malformed. */
function canonicalTag(tag: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(tag)[0];
  } catch {
    return undefined;
  }
}

/** The language that the reader chose on our pages. It takes precedence over `Accept-Language`. */
export const languageCookie = merchantCookie("merchant_language", {
  maxAgeSeconds: 31_536_000, // a year
  form: /^[a-z]{2}$/,
});

/** The language in which this reader gets pages. */
export function languageFor({ request }: FastifyReply): Language {
  if (request.url.startsWith(PARTNER_PATH)) return ENGLISH;
  return languageOf(request.headers["accept-language"], languageCookie.read(request));
}

/** Puts an app's `ui_locales` first in `Accept-Language`, so that error pages use them too. */
export function preferLanguages(
  { headers }: Pick<FastifyRequest, "headers">,
  uiLocales: string | undefined,
): void {
  if (uiLocales)
    headers["accept-language"] =
      `${uiLocales.replaceAll(" ", ",")},${headers["accept-language"] ?? ""}`;
}
