import { withoutUnseen } from "@partner-connect/directory";
import { type Html, html } from "./html.ts";

/** A name as plain text, without characters that could reorder or hide what stands around it. */
export function plainName(name: string): string {
  return withoutUnseen(name);
}

/** A name that somebody chose, kept in its own direction so that it can't rearrange the sentence around it. */
export function named(name: string): Html {
  return html`<bdi>${plainName(name)}</bdi>`;
}
