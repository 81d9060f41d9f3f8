import { type Html, html } from "./html.ts";

/** Controls, invisible spaces, and the marks that turn the direction of the text after them. Joiners stay: scripts need them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const DECEPTIVE = /[\u0000-\u001f\u007f-\u009f\u200b\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g;

/** A name as plain text, without characters that could reorder or hide what stands around it. */
export function plainName(name: string): string {
  return name.replace(DECEPTIVE, "").trim();
}

/** A name that somebody chose, kept in its own direction so that it can't rearrange the sentence around it. */
export function named(name: string): Html {
  return html`<bdi>${plainName(name)}</bdi>`;
}
