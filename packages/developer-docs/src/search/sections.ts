import { textOf } from "../code/code-blocks.ts";

/** A part of a page that a heading leads to. */
export interface Section {
  readonly href: string;
  readonly title: string;
  /** Empty for what stands before the first one. */
  readonly heading: string;
  readonly text: string;
}

/** Of a page's markup, so that what is found is where its link leads. */
export function sectionsOf(path: string, markup: string): Section[] {
  const main = /<main[^>]*>(.*?)(?:<nav class="read-on"|<\/main>)/s.exec(markup)?.[1] ?? "";
  const [first = "", ...parts] = main.replaceAll(/<a class="anchor".*?<\/a>/g, "").split(/(?=<h[23] id=)/);
  const [, title = "", text = ""] = /<h1>(.*?)<\/h1>(.*)/s.exec(first) ?? [];
  const page = plain(title);
  return [
    { href: path, title: page, heading: "", text: plain(text) },
    ...parts.map((part) => {
      const [, id = "", heading = "", rest = ""] = /^<h\d id="([^"]*)">(.*?)<\/h\d>(.*)/s.exec(part) ?? [];
      return { href: `${path}#${id}`, title: page, heading: plain(heading), text: plain(rest) };
    }),
  ];
}

/** Elements that stand in a line by themselves are apart. */
function plain(markup: string): string {
  return textOf(markup.replaceAll(/<\/(?:p|li|t[dhr]|h\d|dd|dt|figcaption|summary|figure)>/g, " $&"))
    .replaceAll(/\s+/g, " ")
    .trim();
}
