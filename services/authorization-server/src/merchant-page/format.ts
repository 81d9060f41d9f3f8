import type { Scope } from "@partner-connect/access-token";
import { type Html, html } from "./html.ts";
import type { Locale } from "./texts/locale.ts";

/** A day as the reader writes it. The server knows no reader's time zone, so days are UTC days. */
export function day(date: Date, locale: Locale): Html {
  const text = new Intl.DateTimeFormat(locale.tag, { dateStyle: "long", timeZone: "UTC" }).format(date);
  return html`<time datetime="${date.toISOString().slice(0, 10)}">${text}</time>`;
}

/** Scopes by their titles, in one line. */
export function scopeList(scope: readonly Scope[], locale: Locale): string {
  return scope.map((value) => locale.texts.scope[value].title).join("; ");
}
