import { createHmac, timingSafeEqual } from "node:crypto";

/**
 * What a form carries to prove that a page of ours, shown to this very browser, is where it comes from. It is bound
 * to the browser's secret and to what the form does, and not to the session, so signing in again in a second tab
 * keeps the first tab's form valid.
 */
export function formToken(browserSecret: string, purpose: string): string {
  return createHmac("sha256", browserSecret).update(purpose).digest("base64url");
}

export function isFormToken(presented: string, browserSecret: string, purpose: string): boolean {
  const expected = Buffer.from(formToken(browserSecret, purpose));
  const actual = Buffer.from(presented);
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}
