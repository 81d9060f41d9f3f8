import { type HtmlValue, html } from "@partner-connect/service-runtime/html";
import { notice } from "./layout.ts";
import type { Locale } from "./locale.ts";
import { named } from "./name.ts";
import type { ReturnPath } from "./return-paths.ts";

/** On a page beside the way, that an app's request still waits in this browser, and the link to it. */
export function waitingNotice(waiting: ReturnPath | null, { texts }: Locale): HtmlValue {
  if (!waiting?.app) return null;
  return notice(
    "done",
    html`${texts.waiting.decision(named(waiting.app))} <a href="${waiting.path}">${texts.waiting.continue}</a>`,
  );
}
