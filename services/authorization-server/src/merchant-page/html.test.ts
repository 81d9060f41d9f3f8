import { describe, expect, test } from "vitest";
import { html } from "./html.ts";
import { named, plainName } from "./name.ts";

describe("html", () => {
  test("text is escaped, in content and in attributes", () => {
    const evil = `"><script>alert('x')</script>&`;
    const escaped = "&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;";
    expect(html`<a title="${evil}">${evil}</a>`.toString()).toBe(`<a title="${escaped}">${escaped}</a>`);
  });

  test("markup is not escaped a second time, in lists neither", () => {
    const items = ["a & b", "c"].map((item) => html`<li>${item}</li>`);
    expect(html`<ul>${items}</ul>`.toString()).toBe("<ul><li>a &amp; b</li><li>c</li></ul>");
  });

  test("nothing is written for what is not there; zero is", () => {
    expect(html`${null}${undefined}${false}${0}${""}`.toString()).toBe("0");
  });
});

describe("a name", () => {
  test("can't turn the direction of the text after it, or hide letters [names.visible]", () => {
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
