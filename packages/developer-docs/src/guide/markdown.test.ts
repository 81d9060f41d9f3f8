import { expect, test } from "vitest";
import { renderMarkdown } from "./markdown.ts";

const markupOf = (text: string): string => renderMarkdown(text).body.toString();

test("a heading has a fragment made of its words, and each fragment is there once", () => {
  const { title, headings, body } = renderMarkdown("# A `title`\n\n## Two words!\n\n### Two words\n\n## Two words");
  expect(title).toBe("A title");
  expect(headings).toEqual([
    { id: "two-words", text: "Two words!" },
    { id: "two-words-3", text: "Two words" },
  ]);
  expect(body.toString()).toContain('<h3 id="two-words-2">');
});

test("code is escaped, and stands for itself", () => {
  const markup = markupOf("```bash\necho '<b>' && true\n```");
  expect(markup).toContain("<figcaption>Shell</figcaption>");
  expect(markup).toContain("<code>echo &#39;&lt;b&gt;&#39; &amp;&amp; true</code>");
});

test("the same in two languages is a choice, and the language is chosen once", () => {
  const both = "```ts\nlet a;\n```\n\n```python\na = 1\n```\n";
  const markup = markupOf(`${both}\nText.\n\n${both}`);
  expect(markup.match(/<fieldset class="languages">/g)).toHaveLength(1);
  expect(markup.match(/<div class="variants">/g)).toHaveLength(2);
  expect(markupOf("```ts\nlet a;\n```")).not.toContain("fieldset");
});

test("an answer is no choice beside a program", () => {
  expect(markupOf("```ts\nlet a;\n```\n\n```json answer\n{}\n```")).not.toContain("variants");
});
