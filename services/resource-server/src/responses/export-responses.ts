import { Readable } from "node:stream";
import type { Caller } from "../authentication/caller.ts";
import { invalidRequest, rateLimited, unavailable } from "../errors/api-error.ts";
import { MAX_LIMIT } from "../pages/parameters.ts";
import { type Page, readPage } from "../pages/read-page.ts";
import type { ExportFormat } from "./export-format.ts";
import type { ListParameters } from "./list-parameters.ts";
import { listResponsesSql } from "./list-responses.query.ts";
import { type Listing, listResponses, type ResponsesReader } from "./list-responses.ts";
import { SORTS } from "./sort.ts";

/** Exports of one process at a time, and of one caller: each holds two pages and keeps Postgres busy. */
const MAX_EXPORTS = 8;
const MAX_EXPORTS_OF_CALLER = 2;

/** Seconds. */
const RETRY_AFTER = "5";

/**
 * Everything that matches the filters, in the active order, from `starting_after` on: page after page, each in a
 * statement of its own. So it holds no snapshot and no connection, a caller who is revoked meanwhile is cut off, and one
 * who reads slowly costs nothing but two pages of memory.
 */
export class Exports {
  readonly #reader: ResponsesReader;
  readonly #running = new Set<{ readonly callerId: string }>();

  constructor(reader: ResponsesReader) {
    this.#reader = reader;
  }

  /**
   * The bytes of the export, once its first page was read.
   * @throws {ApiError} as a page would, 429 when the caller has two under way, 503 when too many are
   */
  async open(caller: Caller, { parameters, served }: Listing, format: ExportFormat): Promise<Readable> {
    if (parameters.cursor?.direction === "before") {
      throw invalidRequest("ending_before", "An export goes on from starting_after; ending_before is for pages.");
    }
    const running = this.#enter(caller);
    try {
      const whole = { ...parameters, limit: MAX_LIMIT };
      const first = await listResponses(this.#reader, caller, { parameters: whole, served }, format.write);
      const stream = Readable.from(this.#write(caller, whole, format, first), { objectMode: false });
      return stream.once("close", () => this.#running.delete(running));
    } catch (error) {
      this.#running.delete(running);
      throw error;
    }
  }

  #enter({ id: callerId }: Caller): { readonly callerId: string } {
    if (this.#running.size >= MAX_EXPORTS) throw unavailable();
    const own = [...this.#running].filter((running) => running.callerId === callerId);
    if (own.length >= MAX_EXPORTS_OF_CALLER) throw rateLimited({ "retry-after": RETRY_AFTER });
    const running = { callerId };
    this.#running.add(running);
    return running;
  }

  async *#write(
    caller: Caller,
    parameters: ListParameters,
    format: ExportFormat,
    first: Page<Buffer> | null,
  ): AsyncGenerator<Buffer> {
    if (format.opening !== "") yield Buffer.from(format.opening);
    for (let page = first; page; ) {
      // The next page is read while this one is sent.
      const next: Promise<Page<Buffer> | null> = this.#following(caller, parameters, format, page);
      next.catch(() => {});
      yield page.content;
      page = await next;
    }
  }

  async #following(
    caller: Caller,
    parameters: ListParameters,
    format: ExportFormat,
    { edges }: Page<Buffer>,
  ): Promise<Page<Buffer> | null> {
    if (!edges.follows) return null;
    const { id, insertedAt, updatedAt } = edges.last;
    const at = Date.parse(SORTS[parameters.sort].column === "inserted_at" ? insertedAt : updatedAt);
    const following: ListParameters = { ...parameters, cursor: { direction: "after", id } };
    const statement = listResponsesSql(caller, following, { id, at });
    return await readPage(this.#reader, statement, caller, following, format.write);
  }
}
