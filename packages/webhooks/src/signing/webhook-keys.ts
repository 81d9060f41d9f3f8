import { hash } from "node:crypto";
import { WebhookError } from "../webhook-error.ts";

const MIN_LENGTH = 32;

/** Endpoints' secrets are derived from it. It is in no store. */
export interface WebhookKey {
  /** Says in an endpoint's row which key its secret is of. */
  readonly id: string;
  readonly text: string;
}

/** The newest first: secrets are made of it. Former ones go on as long as an endpoint has a secret of theirs. */
export type WebhookKeys = readonly [WebhookKey, ...WebhookKey[]];

/** Of a text with one key, or several with blanks or commas between them. @throws {WebhookError} WEBHOOK_KEY */
export function parseWebhookKeys(text: string | undefined): WebhookKeys {
  const [first, ...former] = (text ?? "").split(/[\s,]+/).filter((key) => key !== "");
  if (first === undefined) throw new WebhookError("WEBHOOK_KEY", "WEBHOOK_KEY_FILE is not set");
  if ([first, ...former].some((key) => key.length < MIN_LENGTH)) {
    throw new WebhookError("WEBHOOK_KEY", `a key of WEBHOOK_KEY_FILE is shorter than ${MIN_LENGTH} characters`);
  }
  return [keyOf(first), ...former.map(keyOf)];
}

function keyOf(text: string): WebhookKey {
  return { id: hash("sha256", `webhook key ${text}`).slice(0, 12), text };
}
