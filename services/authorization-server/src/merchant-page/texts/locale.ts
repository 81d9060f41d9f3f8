import { de } from "./de.ts";
import { en } from "./en.ts";
import type { Texts } from "./texts.ts";

/** A reader's language: our words for it, and the tag by which dates and numbers are written. */
export interface Locale {
  readonly texts: Texts;
  /** BCP 47, such as `en-GB`. */
  readonly tag: string;
}

const CATALOGUES: Readonly<Record<string, Texts>> = { en, de };
const DEFAULT: Locale = { texts: en, tag: "en" };

/** More entries than this, no person has chosen. */
const MAX_RANGES = 20;

/** The first language of an `Accept-Language` header, by its weights, that there is a catalogue for; else English. */
export function localeOf(acceptLanguage: string | undefined): Locale {
  const ranges = (acceptLanguage ?? "").split(",", MAX_RANGES).flatMap((part) => {
    const match = /^\s*([a-z]{2,3}(?:-[a-z0-9]{1,8}){0,3})\s*(?:;\s*q=([01](?:\.\d{0,3})?)\s*)?$/i.exec(part);
    return match?.[1] === undefined ? [] : [{ tag: match[1], weight: Number(match[2] ?? "1") }];
  });
  ranges.sort((one, other) => other.weight - one.weight);
  for (const { tag, weight } of ranges) {
    const texts = CATALOGUES[tag.slice(0, tag.search(/-|$/)).toLowerCase()];
    if (texts !== undefined && weight > 0) return { texts, tag: canonical(tag) ?? texts.language };
  }
  return DEFAULT;
}

function canonical(tag: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(tag)[0];
  } catch {
    return undefined;
  }
}
