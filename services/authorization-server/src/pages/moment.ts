import { type Html, html } from "@partner-connect/service-runtime/html";
import type { Locale } from "./frame.ts";

const HOUR_MS = 3_600_000;

/** Units from the smallest: name, length in hours, and the count at which the next unit begins. */
const UNITS = [
  ["hour", 1, 24],
  ["day", 24, 45],
  ["month", 730.5, 24],
  ["year", 8766, Infinity],
] as const;

/** The relative time in the reader's language, followed by the exact time. */
export function moment(date: Date, locale: Pick<Locale, "tag">, now: Date = new Date()): Html {
  return html`${relativeText(date, locale.tag, now)} <span class="fine">${exactTime(date, locale)}</span>`;
}

/** Date and time in the reader's format, in UTC and marked as such. */
export function exactTime(date: Date, { tag }: Pick<Locale, "tag">): Html {
  return html`<time datetime="${date.toISOString()}">${exactText(date, tag)}</time>`;
}

/** Date and time in UTC as logs write them, with milliseconds. */
export function logTime(date: Date): Html {
  return html`<time>${date.toISOString().replace("T", " ").slice(0, -1)}</time> UTC`;
}

function exactText(date: Date, tag: string): string {
  const form = { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" } as const;
  return `${new Intl.DateTimeFormat(tag, form).format(date)} UTC`;
}

/** The relative time, with the exact time as its title. */
export function relativeTime(date: Date, { tag }: Pick<Locale, "tag">): Html {
  return html`<time datetime="${date.toISOString()}" title="${exactText(date, tag)}">${relativeText(date, tag, new Date())}</time>`;
}

function relativeText(date: Date, tag: string, now: Date): string {
  const hours = (date.getTime() - now.getTime()) / HOUR_MS;
  const isOf = ([, size, fewer]: (typeof UNITS)[number]) =>
    Math.round(Math.abs(hours) / size) < fewer;
  const [unit, size] = UNITS.find(isOf) ?? UNITS[0];
  const format = new Intl.RelativeTimeFormat(tag, { numeric: "auto" });
  return format.format(Math.round(hours / size), unit);
}
