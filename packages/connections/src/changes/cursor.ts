import { createHash } from "node:crypto";

/** A client has read its feed up to this number, assigned in this epoch. Number 0: nothing yet. */
export interface ChangesCursor {
  readonly number: number;
  /** Identifies the Postgres instance that assigned the number: DECISIONS.md, 'The cursor says which database it belongs to'. */
  readonly epoch: string;
}

const VERSION = 1;
const FORM = /^1\.(0|[1-9]\d{0,15})\.([0-9a-f]{12}|)\.([0-9a-f]{16})$/;

/** The opaque text for clients, at most 200 characters. */
export function formatCursor({ number, epoch }: ChangesCursor, clientId: string): string {
  const text = `${VERSION}.${number}.${epoch}`;
  return Buffer.from(`${text}.${checkOf(text, clientId)}`).toString("base64url");
}

/** Null if it is malformed, or was made for another client. */
export function parseCursor(text: string, clientId: string): ChangesCursor | null {
  const decoded = Buffer.from(text, "base64url").toString("latin1");
  const [, number = "", epoch = "", check] = FORM.exec(decoded) ?? [];
  const cursor = { number: Number(number), epoch };
  if (check === undefined || !Number.isSafeInteger(cursor.number)) return null;
  return formatCursor(cursor, clientId) === text ? cursor : null;
}

/** Detects mistakes. Forging a cursor gains nothing. */
function checkOf(text: string, clientId: string): string {
  return createHash("sha256").update(`${clientId} ${text}`).digest("hex").slice(0, 16);
}
