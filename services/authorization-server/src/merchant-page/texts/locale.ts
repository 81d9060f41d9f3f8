import Negotiator from "negotiator";
import { de } from "./de.ts";
import { en } from "./en.ts";
import { es } from "./es.ts";
import { fr } from "./fr.ts";
import type { Texts } from "./texts.ts";

/** A reader's language: our texts in it, and the tag by which dates and numbers are written. */
export interface Locale {
  readonly texts: Texts;
  /** BCP 47, such as `en-GB`. */
  readonly tag: string;
}

/** In the order in which a page offers them. */
const LANGUAGES: readonly Texts[] = [en, de, fr, es];
const CATALOGUES: ReadonlyMap<string, Texts> = new Map(LANGUAGES.map((texts) => [texts.language, texts]));
const DEFAULT: Locale = { texts: en, tag: "en" };

/** Characters of the header that are read. Parsing takes time, and the languages of a reader take fewer. */
const MAX_LENGTH = 1000;

/** The reader's first choice, by the weights of `Accept-Language`, that we have texts in; otherwise English. */
export function localeOf(acceptLanguage: string | undefined): Locale {
  const headers = { "accept-language": acceptLanguage?.slice(0, MAX_LENGTH) };
  for (const tag of new Negotiator({ headers }).languages()) {
    const texts = CATALOGUES.get(tag.slice(0, tag.search(/-|$/)).toLowerCase());
    if (texts) return { texts, tag: canonical(tag) ?? texts.language };
  }
  return DEFAULT;
}

/** The tag in its usual case; undefined if it is malformed. */
function canonical(tag: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(tag)[0];
  } catch {
    return undefined;
  }
}
