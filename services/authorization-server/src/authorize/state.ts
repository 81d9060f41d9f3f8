import { UnredirectableError } from "./authorization-error.ts";
import { onlyValue } from "./only-value.ts";

/** Bytes of UTF-8. It travels in URLs, beside a redirect URI, and through headers of limited size. */
const MAX_STATE_BYTES = 2048;

/**
 * The third rule: a state of at most 2,048 bytes. Without one the merchant sees the error page (spec, Outcomes).
 *
 * @throws {UnredirectableError}
 */
export function presentedState(query: URLSearchParams): string {
  const refuse = (problem: string) => new UnredirectableError("state", problem);
  const state = onlyValue(query, "state", refuse);
  if (Buffer.byteLength(state) > MAX_STATE_BYTES) throw refuse(`state is longer than ${MAX_STATE_BYTES} bytes`);
  return state;
}
