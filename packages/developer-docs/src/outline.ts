/** What a page's Markdown says of itself: its heading and its first sentences, with the words of links alone. */
export function outline(markdown: string): { readonly title: string; readonly summary: string } {
  const [heading = "", first = ""] = markdown.split(/\n{2,}/);
  return {
    title: heading.replace(/^# /, ""),
    summary: /^[#|`]{2}/.test(first) ? "" : first.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, "$1").replaceAll(/\s+/g, " "),
  };
}
