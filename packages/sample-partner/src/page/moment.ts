import { type Html, html } from "./html.ts";

const DAY = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone: "UTC" });
const MINUTE = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" });

/** A time of the API, for people. In UTC, as the app doesn't know where its reader is. */
export function moment(time: string): Html {
  return html`<time datetime="${time}">${MINUTE.format(new Date(time))} UTC</time>`;
}

export function day(time: string): Html {
  return html`<time datetime="${time}">${DAY.format(new Date(time))}</time>`;
}

/** Such as `1 response` or `3,000 responses`. */
export function count(amount: number, noun: string): string {
  return `${amount.toLocaleString("en")} ${noun}${amount === 1 ? "" : "s"}`;
}
