import { opensPersonalData, SCOPES } from "@partner-connect/contract";
import { html } from "@partner-connect/service-runtime/html";
import { describe, expect, test } from "vitest";
import { de } from "./de.ts";
import { en } from "./en.ts";
import { es } from "./es.ts";
import { fr } from "./fr.ts";

const CATALOGUES = [en, de, fr, es];
const APP = "Lookout Analytics";

/** Every sentence by its place. Names and dates are replaced by an app's name, counts by 7. */
function sentences(value: unknown, place = ""): [string, string][] {
  if (typeof value === "function") {
    const names = Array.from({ length: value.length }, () => html`${APP}`);
    return sentences(place.includes("tooMany") ? value(7) : value(...names), place);
  }
  if (value === null) return [];
  if (typeof value !== "object") return [[place, String(value)]];
  if (String(value) !== "[object Object]" && !Array.isArray(value)) return [[place, String(value)]];
  return Object.entries(value).flatMap(([key, inner]) => sentences(inner, `${place}.${key}`));
}

const all = CATALOGUES.map((texts) => ({
  language: texts.language,
  texts: new Map(sentences(texts)),
}));

describe.each(all)("$language", ({ language, texts }) => {
  test(`the texts in ${language} have the same keys as English, and none is empty`, () => {
    expect([...texts.keys()].sort()).toEqual([...(all[0]?.texts.keys() ?? [])].sort());
    expect([...texts].filter(([, text]) => text.trim() === "")).toEqual([]);
  });

  test(`the texts in ${language} differ from the texts in every other language`, () => {
    const others = all.filter((other) => other.language !== language);
    const same = [...texts].filter(([place, text]) =>
      others.some((other) => other.texts.get(place) === text),
    );
    expect(same.filter(([place]) => place !== ".frame.error")).toEqual([]);
  });

  test(`the texts in ${language} follow the typographic rules of the language`, () => {
    expect([...texts].filter(([, text]) => /['"]| {2}| [?!:;»]|« /.test(text))).toEqual([]);
    const french = /[^\u00a0][?!:;]/;
    expect([...texts].filter(([, text]) => language === "fr" && french.test(text))).toEqual([]);
    const spanish = [...texts].filter(
      ([, text]) => language === "es" && /\?/.test(text) && !/¿/.test(text),
    );
    expect(spanish).toEqual([]);
  });
});

test("a scope has a warning for the consent page if, and only if, it gives access to personal data", () => {
  const warned = SCOPES.filter((scope) => en.scope[scope].personalData !== null);
  expect(warned).toEqual(SCOPES.filter((scope) => opensPersonalData([scope])));
});
