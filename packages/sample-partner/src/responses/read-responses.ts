import type { DatabaseSync } from "node:sqlite";
import type { ResponseRecord } from "@partner-connect/partner-sdk";

/** Where a page of the table begins: beside one response, in the order of time and id. */
export interface ResponsePosition {
  readonly side: "older" | "newer";
  readonly insertedAt: string;
  readonly id: string;
}

export interface ResponsesPage {
  readonly responses: readonly ResponseRecord[];
  readonly newer: ResponsePosition | null;
  readonly older: ResponsePosition | null;
}

const PAGE = 25;

/** Reads our copy. Its positions are those of responses, not numbers of pages: a new response moves nothing. */
export function readResponses(
  database: DatabaseSync,
  connectionId: string,
  position: ResponsePosition | null,
): ResponsesPage {
  /** One more than a page has, to see whether there are more. Index: responses_by_time. */
  const read = (side: "<" | ">", order: "ASC" | "DESC") =>
    database
      .prepare(
        `SELECT record FROM responses WHERE connection_id = ? ${position ? `AND (inserted_at, id) ${side} (?, ?)` : ""}
         ORDER BY inserted_at ${order}, id ${order} LIMIT ?`,
      )
      .all(connectionId, ...(position ? [position.insertedAt, position.id] : []), PAGE + 1)
      .map(({ record }) => JSON.parse(String(record)) as ResponseRecord);
  if (position?.side !== "newer") {
    const found = read("<", "DESC");
    return pageOf(found.slice(0, PAGE), position !== null, found.length > PAGE);
  }
  const found = read(">", "ASC");
  // Fewer than a page is newer than this position: the first page then.
  if (found.length < PAGE) return readResponses(database, connectionId, null);
  return pageOf(found.slice(0, PAGE).reverse(), found.length > PAGE, true);
}

function pageOf(responses: readonly ResponseRecord[], hasNewer: boolean, hasOlder: boolean): ResponsesPage {
  const beside = (side: ResponsePosition["side"], response: ResponseRecord | undefined) =>
    response ? { side, insertedAt: response.inserted_at, id: response.id } : null;
  return {
    responses,
    newer: hasNewer ? beside("newer", responses[0]) : null,
    older: hasOlder ? beside("older", responses.at(-1)) : null,
  };
}

/** Of a page's URL, such as `?older=2026-11-21T01:02:03.123Z~res_1`. What is malformed means the first page. */
export function readPosition(query: Readonly<Record<string, unknown>>): ResponsePosition | null {
  for (const side of ["older", "newer"] as const) {
    const [, insertedAt, id] = /^(\d{4}-[\dT:.-]+Z)~([\w-]{1,64})$/.exec(String(query[side] ?? "")) ?? [];
    if (insertedAt && id) return { side, insertedAt, id };
  }
  return null;
}

export function positionQuery({ side, insertedAt, id }: ResponsePosition): string {
  return `?${side}=${encodeURIComponent(`${insertedAt}~${id}`)}`;
}
