import { MAX_STATE_BYTES } from "@partner-connect/public-api";
import { UnredirectableError } from "./authorization-error.ts";
import { onlyValue } from "./only-value.ts";

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
