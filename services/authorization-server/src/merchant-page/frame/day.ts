import { type Html, html } from "@partner-connect/service-runtime/html";
import type { Locale } from "../texts/locale.ts";

/** A day as the reader writes it, in UTC, because the server does not know the reader's time zone. */
export function day(date: Date, locale: Locale): Html {
  const text = new Intl.DateTimeFormat(locale.tag, { dateStyle: "long", timeZone: "UTC" }).format(date);
  return html`<time datetime="${date.toISOString().slice(0, 10)}">${text}</time>`;
}
