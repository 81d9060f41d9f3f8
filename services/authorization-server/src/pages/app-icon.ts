import type { Client } from "@partner-connect/directory";
import { type Html, html } from "@partner-connect/service-runtime/html";
import { initial } from "./names.ts";

export type Icon = Pick<Client, "name" | "logoPath">;

/** The app's logo, or its first letter. It is decoration, beside the app's name. */
export function appIcon({ name, logoPath }: Icon): Html {
  return logoPath === null
    ? html`<span class="app-icon" aria-hidden="true"><bdi>${initial(name)}</bdi></span>`
    : html`<img class="app-icon" src="${logoPath}" width="48" height="48" alt="">`;
}
