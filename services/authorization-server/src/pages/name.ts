import { withoutUnseen } from "@partner-connect/directory";
import { type Html, html } from "@partner-connect/service-runtime/html";

/** A name as plain text, without characters that could reorder or hide the text around it. */
export function plainName(name: string): string {
  return withoutUnseen(name);
}

/** A name that a merchant or partner chose, with its own text direction, so that it can't reorder the text around it. */
export function named(name: string): Html {
  return html`<bdi>${plainName(name)}</bdi>`;
}
