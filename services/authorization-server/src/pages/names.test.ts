import { describe, expect, test } from "vitest";
import { named, plainName } from "./names.ts";

describe("a name", () => {
  test("can't turn the direction of the text after it, or hide letters", () => {
    expect(plainName("Acme\u202e moc.live\u2066\u2069\u200b\u0007")).toBe("Acme moc.live");
    expect(plainName("\u3164Lo\u00adok\u2800out\u{e0061}")).toBe("Lookout");
  });

  test("keeps its own script, its joiners and its emoji", () => {
    for (const name of ["متجر القهوة", "क्‍ष", "👩‍🌾 Farm", "❤️", "葛\u{e0100}飾"]) expect(plainName(name)).toBe(name);
  });

  test("stands in a direction of its own", () => {
    expect(named("<b>שלום</b>").toString()).toBe("<bdi>&lt;b&gt;שלום&lt;/b&gt;</bdi>");
  });
});
