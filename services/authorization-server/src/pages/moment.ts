import { type Html, html } from "@partner-connect/service-runtime/html";
import type { Locale } from "./frame.ts";

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

/** How long ago, or in how long, in the reader's words, which need no time zone; and the exact time, for everybody to see. */
export function moment(date: Date, locale: Pick<Locale, "tag">, now: Date = new Date()): Html {
  return html`${words(date, locale.tag, now)} <span class="fine">(${exact(date, locale)})</span>`;
}

/** A date and time as the reader writes it, in UTC and saying so. */
export function exact(date: Date, { tag }: Pick<Locale, "tag">): Html {
  const text = new Intl.DateTimeFormat(tag, { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" }).format(date);
  return html`<time datetime="${date.toISOString()}">${text} UTC</time>`;
}

/** The relative time. Another page shows the exact time. */
export function relative(date: Date, { tag }: Pick<Locale, "tag">): Html {
  return html`<time datetime="${date.toISOString()}">${words(date, tag, new Date())}</time>`;
}

function words(date: Date, tag: string, now: Date): string {
  const hours = (date.getTime() - now.getTime()) / HOUR_MS;
  const [unit, size] = UNITS.find(([, size, fewer]) => Math.round(Math.abs(hours) / size) < fewer) ?? ["hour", 1];
  return new Intl.RelativeTimeFormat(tag, { numeric: "auto" }).format(Math.round(hours / size), unit);
}
