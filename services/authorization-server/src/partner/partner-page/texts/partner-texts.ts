import type { Locale } from "../../../merchant-page/texts/locale.ts";
import type { Section } from "../partner-paths.ts";
import { de } from "./de.ts";
import { en, type PartnerTexts } from "./en.ts";
import { es } from "./es.ts";
import { fr } from "./fr.ts";

const CATALOGUES: Readonly<Record<string, PartnerTexts>> = { en, de, fr, es };

/** The partner pages' texts in the language of the page. */
export function partnerTexts({ texts }: Pick<Locale, "texts">): PartnerTexts {
  return CATALOGUES[texts.language] ?? en;
}

export function sectionTitle(texts: PartnerTexts, section: Section): string {
  return texts[section === "test-shops" ? "testShops" : section].title;
}
