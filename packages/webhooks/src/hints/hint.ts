import { randomUUID } from "node:crypto";

/** What an endpoint is told, as its row keeps it. */
export interface Hint {
  /** The `webhook-id`: a repeat has the same. */
  readonly id: string;
  /** Of what the feed has new. */
  readonly kinds: readonly string[];
  /** When it was made. RFC 3339. */
  readonly at: string;
  /** The feed's number that it tells of; none: an operator's test. */
  readonly number?: string;
}

export function newHint(kinds: readonly string[], number?: string): Hint {
  const id = `msg_${randomUUID().replaceAll("-", "")}`;
  return { id, kinds, at: new Date().toISOString(), ...(number !== undefined && { number }) };
}

/** The body that is signed and sent. It says that the feed has moved, and nothing of what is in it. */
export function bodyOf({ kinds, at }: Hint, clientId: string): string {
  return JSON.stringify({ type: "changes", timestamp: at, data: { client_id: clientId, kinds } });
}
