import { randomBytes } from "node:crypto";

/**
 * A new id for a response that came without one: `res_` and the 32 hexadecimal digits of a UUID version 7 (RFC 9562), so
 * that ids sort by the time they were made.
 */
export function newResponseId(): string {
  const tail = randomBytes(10);
  tail[0] = 0x70 | ((tail[0] ?? 0) & 0x0f);
  tail[2] = 0x80 | ((tail[2] ?? 0) & 0x3f);
  return `res_${Date.now().toString(16).padStart(12, "0")}${tail.toString("hex")}`;
}
