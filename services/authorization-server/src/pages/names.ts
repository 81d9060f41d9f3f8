import { type Client, removeInvisible, shownAddress } from "@partner-connect/directory";
import { type Html, html } from "@partner-connect/service-runtime/html";

/** A name as plain text, without characters that could reorder or hide the text around it. */
export function plainName(name: string): string {
  return removeInvisible(name);
}

/** A chosen name with its own text direction, so that it can't reorder the text around it. */
export function isolatedName(name: string): Html {
  return html`<bdi>${plainName(name)}</bdi>`;
}

/** A stored email address or domain, as people write it. */
export const address = (stored: string): Html => isolatedName(shownAddress(stored));

/** A long value that may break after its punctuation. */
export function allowBreaks(value: string): Html {
  const [first, ...rest] = plainName(value).split(/(?<=[/.@])(?=[^/.@])/);
  return html`${first}${rest.map((part) => html`<wbr>${part}`)}`;
}

/** The first grapheme: a letter with its marks, or a whole emoji. */
export function initial(name: string): string {
  const [first] = new Intl.Segmenter().segment(plainName(name));
  return first?.segment.toUpperCase() ?? "";
}

/** The first letters of the first and the last word, ignoring marks such as `<`. */
export function initials(name: string): string {
  const [first = "", ...others] = plainName(name).match(/(?<!\S)[\p{L}\p{N}]\S*/gu) ?? [];
  return initial(first) + initial(others.at(-1) ?? "");
}

export type Icon = Pick<Client, "name" | "logoPath">;

/** The app's logo or, without one, its first letter; decoration, because the name is next to it. */
export function appIcon({ name, logoPath }: Icon): Html {
  return logoPath === null
    ? html`<span class="app-icon" aria-hidden="true"><bdi>${initial(name)}</bdi></span>`
    : html`<img class="app-icon" src="${logoPath}" width="48" height="48" alt="">`;
}

/** At most this many characters of a search are used. No shop has a longer name. */
export const MAX_SEARCH = 200;

/** True if the text contains each word of the search. An empty search matches everything. */
export function nameSearch(search: string): (text: string) => boolean {
  const words = comparableText(search.slice(0, MAX_SEARCH)).split(/\s+/);
  return (text) => {
    const name = comparableText(text);
    return words.every((word) => name.includes(word));
  };
}

/** A name in the form in which people compare names: without case, accents and width. */
function comparableText(text: string): string {
  return text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
}
