import { expect, test } from "vitest";
import { html } from "./html.ts";

test("text is escaped, in content and in attributes", () => {
  const evil = `"><script>alert('x')</script>&`;
  const escaped = "&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;";
  expect(html`<a title="${evil}">${evil}</a>`.toString()).toBe(
    `<a title="${escaped}">${escaped}</a>`,
  );
});

test("markup is not escaped a second time, even in lists", () => {
  const items = ["a & b", "c"].map((item) => html`<li>${item}</li>`);
  expect(html`<ul>${items}</ul>`.toString()).toBe("<ul><li>a &amp; b</li><li>c</li></ul>");
});

test("null, undefined, false and empty text are omitted, but zero is rendered", () => {
  expect(html`${null}${undefined}${false}${0}${""}`.toString()).toBe("0");
});
