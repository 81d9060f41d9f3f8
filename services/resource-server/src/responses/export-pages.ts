import type { Caller } from "../authentication/caller.ts";
import { MAX_LIMIT } from "../pagination/page-parameters.ts";
import { type Page, readPage } from "../pagination/page-reader.ts";
import type { Position } from "../pagination/position.ts";
import type { ListParameters } from "./list-parameters.ts";
import { listResponsesSql } from "./list-query/list-responses.query.ts";
import type { ResponsesReader } from "./list-responses.ts";
import { movingList } from "./moving-list.ts";
import { SORTS } from "./sort.ts";

/** Records of the first page. How large they are is not known yet. */
export const FIRST_LIMIT = 100;

/** Bytes of records that each following page should have. */
const PAGE_BYTES = 1024 * 1024;

export interface ExportPage extends Page {
  /** How many records it could have. */
  readonly limit: number;
}

/**
 * Reads an export: everything that matches the filters, in the active order, from `starting_after` on. It is read page by
 * page, each page in a statement of its own. So an export holds no snapshot and no connection of the database, and a caller
 * who is revoked meanwhile is cut off.
 *
 * It doesn't ask the position memory, which knows only the edges of pages: a caller may be cut off after any record. The
 * `cursor_time` beside `starting_after` says the position; without it the export starts where the record stands now. Its very
 * last record is remembered, so that the caller may go on from there with pages.
 */
export class ExportPages {
  readonly #reader: ResponsesReader;
  readonly #caller: Caller;
  readonly #parameters: ListParameters;

  constructor(reader: ResponsesReader, caller: Caller, parameters: ListParameters) {
    this.#reader = reader;
    this.#caller = caller;
    this.#parameters = parameters;
  }

  /**
   * @returns null where nothing matches
   * @throws {ApiError} as a page of the list
   */
  async first(): Promise<ExportPage | null> {
    return await this.#read({ ...this.#parameters, limit: FIRST_LIMIT });
  }

  /** The page that follows, or null. */
  async after({ edges, records, limit }: ExportPage): Promise<ExportPage | null> {
    if (!edges.follows) return null;
    const { id, insertedAt, updatedAt } = edges.last;
    const time = Date.parse(SORTS[this.#parameters.sort].column === "inserted_at" ? insertedAt : updatedAt);
    // The page had as many records as it could. The next ones may be larger, so the limit grows in steps.
    const fitting = Math.round((limit * PAGE_BYTES) / records.length);
    const nextLimit = Math.max(Math.min(fitting, 4 * limit, MAX_LIMIT), 1);
    return await this.#read({ ...this.#parameters, limit: nextLimit, cursor: { direction: "forward", id, time } });
  }

  async #read(parameters: ListParameters): Promise<ExportPage | null> {
    const { cursor, limit } = parameters;
    const position: Position | null = cursor?.time === undefined ? null : { at: cursor.time, id: cursor.id };
    const statement = listResponsesSql(this.#caller, parameters, position);
    const page = await readPage(this.#reader, statement, parameters, (size) => Buffer.allocUnsafe(size));
    if (page && !page.edges.follows) {
      const start = { position, isByIdAlone: false };
      await this.#reader.positions.remember(movingList(this.#caller, parameters), start, page.edges);
    }
    return page && { ...page, limit };
  }
}
