import type { PageLinks } from "./page-links.ts";

const OPENING = Buffer.from('{"data":[');
const COMMA = 0x2c;

/** The envelope of a list around records that are JSON text already: their bytes are copied once. */
export function pageBody(records: readonly Buffer[], { prev, next }: PageLinks): Buffer {
  const closing = Buffer.from(`],"prev":${JSON.stringify(prev)},"next":${JSON.stringify(next)}}`);
  let length = OPENING.length + closing.length + Math.max(records.length - 1, 0);
  for (const record of records) length += record.length;
  const body = Buffer.allocUnsafe(length);
  let at = OPENING.copy(body);
  for (const [index, record] of records.entries()) {
    if (index > 0) body[at++] = COMMA;
    at += record.copy(body, at);
  }
  closing.copy(body, at);
  return body;
}
