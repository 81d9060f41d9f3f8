/** An id as an import gives one: `res_` and the 32 hexadecimal digits of a UUID version 7 (RFC 9562). */
export function responseId(instant: number, random: Uint8Array): string {
  const tail = Buffer.from(random);
  tail[0] = 0x70 | ((tail[0] ?? 0) & 0x0f);
  tail[2] = 0x80 | ((tail[2] ?? 0) & 0x3f);
  return `res_${instant.toString(16).padStart(12, "0")}${tail.toString("hex")}`;
}
