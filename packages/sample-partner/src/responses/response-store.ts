import type { DatabaseSync } from "node:sqlite";
import type { ResponseRecord } from "@partner-connect/partner-sdk";
import type { ResponsePosition } from "./response-position.ts";

/** A page of the table, the newest response first. */
export interface ResponsesPage {
  readonly responses: readonly ResponseRecord[];
  /** Null: these are the newest. */
  readonly newer: ResponsePosition | null;
  /** Null: these are the oldest. */
  readonly older: ResponsePosition | null;
}

const PAGE = 25;

/** Reads our copy. Its positions are those of responses, not numbers of pages: a new response moves nothing. */
export class ResponseStore {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  page(connectionId: string, position: ResponsePosition | null): ResponsesPage {
    if (position?.side !== "newer") {
      const found = this.#read(connectionId, position, "<", "DESC");
      return pageOf(found.slice(0, PAGE), position !== null, found.length > PAGE);
    }
    const found = this.#read(connectionId, position, ">", "ASC");
    // Fewer than a page is newer than this position: the first page then.
    if (found.length < PAGE) return this.page(connectionId, null);
    return pageOf(found.slice(0, PAGE).reverse(), found.length > PAGE, true);
  }

  /** One more than a page has, to see whether there are more. Index: responses_by_time. */
  #read(connectionId: string, position: ResponsePosition | null, side: "<" | ">", order: "ASC" | "DESC") {
    const beside = position ? `AND (inserted_at, id) ${side} (?, ?)` : "";
    return this.#database
      .prepare(
        `SELECT record FROM responses WHERE connection_id = ? ${beside} ORDER BY inserted_at ${order}, id ${order} LIMIT ?`,
      )
      .all(connectionId, ...(position ? [position.insertedAt, position.id] : []), PAGE + 1)
      .map(({ record }) => JSON.parse(String(record)) as ResponseRecord);
  }
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
