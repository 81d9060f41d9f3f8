import { expect, test } from "vitest";
import { moment } from "../pages/moment.ts";
import { languageOf, preferLanguages } from "./locale.ts";

test.each([
  [undefined, "en", "en"],
  ["*", "en", "en"],
  ["en-GB,en;q=0.9", "en", "en-GB"],
  ["de", "de", "de"],
  ["de-ch", "de", "de-CH"],
  ["it-IT, it;q=0.9, de;q=0.7, en;q=0.8", "en", "en"],
  ["fr-CA,fr;q=0.9,en;q=0.8", "fr", "fr-CA"],
  ["en;q=0, de;q=0.1", "de", "de"],
  ["DE_de", "en", "en"],
  ["den", "en", "en"],
  ["x".repeat(5000), "en", "en"],
  ["de-a_b", "de", "de"],
  ["constructor, __proto__, de", "de", "de"],
  [`de, ${"en;q=0.9,".repeat(5000)}`, "de", "de"],
])("a page has the language $1 if Accept-Language is $0", (header, language, tag) => {
  const locale = languageOf(header);
  expect([locale.texts.language, locale.tag]).toEqual([language, tag]);
});

test.each([
  ["fr", "fr", "fr-CA"],
  ["es", "es", "es"],
  ["it", "de", "de"],
  ["FR", "de", "de"],
  ["constructor", "de", "de"],
])("a reader of 'de, fr-CA' who chose %j gets the language %s", (chosen, language, tag) => {
  const locale = languageOf("de, fr-CA;q=0.5", chosen);
  expect([locale.texts.language, locale.tag]).toEqual([language, tag]);
});

test.each([
  [undefined, "fr", "fr"],
  ["it de-AT es", "fr", "it,de-AT,es,fr"],
  ["de", undefined, "de,"],
])("ui_locales=%j changes Accept-Language %j to %j", (uiLocales, reader, both) => {
  const headers = { "accept-language": reader };
  preferLanguages({ headers }, uiLocales);
  expect(headers["accept-language"]).toBe(both);
});

const now = new Date("2026-11-22T12:00:00Z");
const HOUR = 3_600_000;
const said = (hours: number, language = "en") =>
  String(moment(new Date(now.getTime() + hours * HOUR), languageOf(language), now)).replace(
    / <span.*/,
    "",
  );

test.each([
  [-0.4, "this hour"],
  [0.4, "this hour"],
  [-5.2, "5 hours ago"],
  [-23.4, "23 hours ago"],
  [-23.6, "yesterday"],
  [-48, "2 days ago"],
  [-44 * 24, "44 days ago"],
  [-60 * 24, "2 months ago"],
  [-3 * 365 * 24, "3 years ago"],
  [30 * 24 - 0.1, "in 30 days"],
])("a time at an offset of %d hours is shown as %s", (hours, words) => {
  expect(said(hours)).toBe(words);
});

test("a relative time is in the reader's language, followed by the exact time as visible text", () => {
  expect(said(-48, "de")).toBe("vorgestern");
  expect(said(-72, "fr")).toBe("il y a 3 jours");
  expect(String(moment(new Date("2026-11-20T23:30:00Z"), languageOf("en-GB"), now))).toBe(
    '2 days ago <span class="fine"><time datetime="2026-11-20T23:30:00.000Z">20 Nov 2026, 23:30 UTC</time></span>',
  );
});
