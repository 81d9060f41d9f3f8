import { describe, expect, test } from "vitest";
import { languageOf } from "./locale.ts";

describe("the language of a page", () => {
  test.each([
    [undefined, "en", "en"],
    ["", "en", "en"],
    ["*", "en", "en"],
    ["en-GB,en;q=0.9", "en", "en-GB"],
    ["de", "de", "de"],
    ["de-ch", "de", "de-CH"],
    ["it-IT, it;q=0.9, de;q=0.7, en;q=0.8", "en", "en"],
    ["it, de;q=0.5", "de", "de"],
    ["fr, de;q=0.5", "fr", "fr"],
    ["fr-CA,fr;q=0.9,en;q=0.8", "fr", "fr-CA"],
    ["es-419, es;q=0.9", "es", "es-419"],
    ["en;q=0, de;q=0.1", "de", "de"],
    ["DE_de", "en", "en"],
    ["den", "en", "en"],
    ["de;q=nonsense, en", "en", "en"],
    ["x".repeat(5000), "en", "en"],
    ["*, de;q=0.5", "de", "de"],
    ["de ; q=0.3, en-GB ; q=0.4", "en", "en-GB"],
    ["de;q=0.000, de-AT;q=0.001", "de", "de-AT"],
    ["de-AT;q=", "de", "de-AT"],
    ["de-a_b", "de", "de"],
    [",;,,=;q", "en", "en"],
    ["constructor, __proto__, de", "de", "de"],
    [`de, ${"en;q=0.9,".repeat(5000)}`, "de", "de"],
  ])("of %j is %s", (header, language, tag) => {
    const locale = languageOf(header);
    expect([locale.texts.language, locale.tag]).toEqual([language, tag]);
  });
});
