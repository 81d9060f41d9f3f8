import type { Caller } from "../../authentication/caller.ts";
import { MAX_LIMIT } from "../../pagination/limit-and-cursor.ts";
import { type PageRecords, readPage } from "../../pagination/page-reader.ts";
import type { Position } from "../../pagination/time-parameters.ts";
import type { PositionMemory } from "../../position-memory/position-memory.ts";
import type { Database } from "../../stores/database.ts";
import { listResponsesSql } from "../list-query/list-responses.query.ts";
import { movingList } from "../listing.ts";
import type { ListParameters } from "../parameters/list-parameters.ts";
import { SORTS } from "../parameters/sort.ts";

/** Bytes. The database takes no longer record. */
const LONGEST_RECORD = 136 * 1024;

/** The memory of a page: of its records, and of the one after them by which it is known that more follow. */
export const EXPORT_PAGE_BYTES = 1024 * 1024;
const MOST_BYTES = EXPORT_PAGE_BYTES - LONGEST_RECORD;

/** Records of the first page at most: of one that is there soon. */
const FIRST_LIMIT = 100;

export interface ExportReader {
  readonly database: Database;
  readonly positions: PositionMemory;
}

/**
 * Reads an export: everything that matches, in the active order, from `starting_after` on, in pages of bounded bytes. Each is a statement
 * of its own, so a caller who is revoked is cut off. It asks no position memory, as a caller may be cut off after any record; its very last
 * record is remembered.
 */
export class ExportPages {
  readonly #reader: ExportReader;
  readonly #caller: Caller;
  readonly #parameters: ListParameters;

  constructor(reader: ExportReader, caller: Caller, parameters: ListParameters) {
    this.#reader = reader;
    this.#caller = caller;
    this.#parameters = parameters;
  }

  /** Null where nothing matches. @throws {ApiError} as a page of the list */
  async first(): Promise<PageRecords | null> {
    return await this.#read({ ...this.#parameters, limit: FIRST_LIMIT });
  }

  async after({ edges, count }: PageRecords): Promise<PageRecords | null> {
    if (!edges.follows) return null;
    const { id, insertedAt, updatedAt } = edges.last;
    const time = Date.parse(SORTS[this.#parameters.sort].column === "inserted_at" ? insertedAt : updatedAt);
    // Not many more than are likely to fit: Postgres looks at all of them.
    const limit = Math.min(Math.max(4 * count, FIRST_LIMIT), MAX_LIMIT);
    return await this.#read({ ...this.#parameters, limit, cursor: { direction: "forward", id, time } });
  }

  async #read(listed: ListParameters): Promise<PageRecords | null> {
    const parameters = { ...listed, mostBytes: MOST_BYTES };
    const { cursor } = parameters;
    const position: Position | null = cursor?.time === undefined ? null : { at: cursor.time, id: cursor.id };
    const { page } = await readPage(this.#reader.database, {
      shopId: this.#caller.shopId,
      statement: listResponsesSql(this.#caller, parameters, position),
      parameters,
      expected: MOST_BYTES,
      allocate: Buffer.allocUnsafe,
    });
    if (page && !page.edges.follows) {
      const start = { position, isByIdAlone: false };
      await this.#reader.positions.remember(movingList(this.#caller, parameters), start, page.edges);
    }
    return page;
  }
}
