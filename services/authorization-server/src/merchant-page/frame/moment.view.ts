import { type Html, html } from "@partner-connect/service-runtime/html";
import type { Locale } from "../texts/locale.ts";

/** A day as the reader writes it, in UTC, because the server does not know the reader's time zone. */
export function day(date: Date, locale: Locale): Html {
  const text = new Intl.DateTimeFormat(locale.tag, { dateStyle: "long", timeZone: "UTC" }).format(date);
  return html`<time datetime="${date.toISOString().slice(0, 10)}">${text}</time>`;
}

const HOUR_MS = 3_600_000;

/** From the smallest unit that is shown, with its hours and how many of it are shown before the next. */
const UNITS: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, hours: number, fewer: number])[] = [
  ["hour", 1, 24],
  ["day", 24, 45],
  ["month", 730.5, 24],
  ["year", 8766, Infinity],
];

/**
 * How long ago, or in how long, in the reader's words: it needs no time zone, which the server does not know. The day in UTC is the title.
 */
export function moment(date: Date, locale: Pick<Locale, "tag">, now: Date = new Date()): Html {
  const exact = new Intl.DateTimeFormat(locale.tag, { dateStyle: "long", timeZone: "UTC" }).format(date);
  return html`<time datetime="${date.toISOString()}" title="${exact}">${relative(date, locale.tag, now)}</time>`;
}

function relative(date: Date, tag: string, now: Date): string {
  const hours = (date.getTime() - now.getTime()) / HOUR_MS;
  const [unit, size] = UNITS.find(([, size, fewer]) => Math.round(Math.abs(hours) / size) < fewer) ?? ["hour", 1];
  return new Intl.RelativeTimeFormat(tag, { numeric: "auto" }).format(Math.round(hours / size), unit);
}
