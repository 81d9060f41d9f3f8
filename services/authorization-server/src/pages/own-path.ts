/** Characters of a path, percent-encoded once more in a form. The body of the form must not exceed its limit. */
const MAX_LENGTH = 12_000;

/** The path, with its query, if it is one of this host and can be sent in a form. Whatever else it says is null. */
export function ownPath(text: string): string | null {
  if (!text.startsWith("/") || encodeURIComponent(text).length > MAX_LENGTH) return null;
  const url = URL.parse(text, "https://this.host");
  // After its dots are resolved, too, it must not begin with what a browser takes for a host.
  if (url?.origin !== "https://this.host" || url.pathname.startsWith("//")) return null;
  return url.pathname + url.search;
}
