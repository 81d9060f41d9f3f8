import { Readable } from "node:stream";
import type { Caller } from "../authentication/caller.ts";
import { invalidRequest, rateLimited, unavailable } from "../errors/api-error.ts";
import { MAX_LIMIT } from "../pages/parameters.ts";
import { type Page, readPage } from "../pages/read-page.ts";
import type { ExportFormat } from "./export-format.ts";
import type { ListParameters } from "./list-parameters.ts";
import { listResponsesSql } from "./list-responses.query.ts";
import type { ResponsesReader } from "./list-responses.ts";
import { SORTS } from "./sort.ts";
import type { Position } from "./way.ts";

/** Exports of one process at a time, and of one caller: each holds two pages and keeps Postgres busy. */
const MAX_EXPORTS = 8;
const MAX_EXPORTS_OF_CALLER = 2;

/** Seconds. */
const RETRY_AFTER = "5";

/**
 * Everything that matches the filters, in the active order, from `starting_after` on: page after page, each in a
 * statement of its own. So it holds no snapshot and no connection, a caller who is revoked meanwhile is cut off, and one
 * who reads slowly costs nothing but two pages of memory.
 *
 * It asks no memory. A caller goes on from wherever they were cut off, and only edges of pages are remembered: under
 * `updated_at_*` the `cursor_time` beside `starting_after` says the place; without it the export goes on where nothing can
 * be lost. What it leaves is its last record, which the caller may go on from with pages.
 */
export class Exports {
  readonly #reader: ResponsesReader;
  readonly #running = new Set<{ readonly callerId: string; stream?: Readable }>();

  constructor(reader: ResponsesReader) {
    this.#reader = reader;
  }

  /**
   * The bytes of the export, once its first page was read.
   * @throws {ApiError} as a page would, 429 when the caller has two under way, 503 when too many are
   */
  async open(caller: Caller, parameters: ListParameters, format: ExportFormat): Promise<Readable> {
    if (parameters.cursor?.direction === "before") {
      throw invalidRequest("ending_before", "An export goes on from starting_after; ending_before is for pages.");
    }
    const running = this.#enter(caller);
    try {
      const whole = { ...parameters, limit: MAX_LIMIT };
      const first = await this.#read(caller, whole, format);
      running.stream = Readable.from(this.#write(caller, whole, format, first), { objectMode: false });
      return running.stream.once("close", () => this.#running.delete(running));
    } catch (error) {
      this.#running.delete(running);
      throw error;
    }
  }

  /** Cuts off what is under way: callers can go on from the last record that they have, at another replica. */
  end(): void {
    for (const { stream } of this.#running) stream?.destroy();
  }

  #enter({ id: callerId }: Caller): { readonly callerId: string; stream?: Readable } {
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
    const time = Date.parse(SORTS[parameters.sort].column === "inserted_at" ? insertedAt : updatedAt);
    return await this.#read(caller, { ...parameters, cursor: { direction: "after", id, time } }, format);
  }

  async #read(caller: Caller, parameters: ListParameters, format: ExportFormat): Promise<Page<Buffer> | null> {
    const { cursor } = parameters;
    const place: Position | null = cursor?.time === undefined ? null : { at: cursor.time, id: cursor.id };
    const statement = listResponsesSql(caller, parameters, place);
    const page = await readPage(this.#reader, statement, caller, parameters, format.write);
    if (page && !page.edges.follows) {
      const start = { place, isOnly: true, isByIdAlone: false };
      await this.#reader.positions.remember(caller, parameters, start, page.edges);
    }
    return page;
  }
}
