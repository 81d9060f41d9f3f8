import { withoutUnseen } from "@partner-connect/directory";
import type { Parsed } from "@partner-connect/service-runtime/environment";

const MAX_LENGTH = 50;

/** The gateway's page has the name as it stands, so it has no character of markup, and none of a Caddyfile. */
export function productName(text: string): Parsed<string> {
  if (withoutUnseen(text) !== text) return { problem: "has characters that nobody can see, or spaces around it" };
  if (text.length > MAX_LENGTH) return { problem: `has more than ${MAX_LENGTH} characters` };
  return /[<>"`{}]/.test(text) ? { problem: 'has one of < > " ` { }' } : { value: text };
}
