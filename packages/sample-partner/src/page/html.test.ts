import { expect, test } from "vitest";
import { html } from "./html.ts";

test("text is escaped, in elements and in attributes; markup is not escaped twice", () => {
  const words = `<img src=x onerror="alert('1')"> & more`;
  const escaped = "&#60;img src=x onerror=&#34;alert(&#39;1&#39;)&#34;&#62; &#38; more";
  expect(html`<p title="${words}">${html`<b>${words}</b>`}</p>`.toString()).toBe(
    `<p title="${escaped}"><b>${escaped}</b></p>`,
  );
});

test("lists are joined; what is not there leaves nothing, and zero is there", () => {
  expect(html`${["a", html`<b>c</b>`, null]}${undefined}${false}${0}`.toString()).toBe("a<b>c</b>0");
});
