import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import type { AnswerMemory, HeldAnswer } from "../answers/answer-memory.ts";
import type { Caller } from "../authentication/caller.ts";
import { invalidRequest } from "../errors/api-error.ts";
import { MAX_LIMIT } from "../pagination/page-parameters.ts";
import { type Page, readPage } from "../pagination/page-reader.ts";
import type { ExportFormat } from "./export-format.ts";
import { type ExportPlace, ExportPlaces } from "./export-places.ts";
import type { ListParameters } from "./list-parameters.ts";
import type { Position } from "./list-query/direction.ts";
import { listResponsesSql } from "./list-query/list-responses.query.ts";
import type { ResponsesReader } from "./list-responses.ts";
import { SORTS } from "./sort.ts";

/** About so many bytes are read at a time. The first page, of records of unknown size, is a small one. */
const PAGE_BYTES = 1024 * 1024;
const FIRST_LIMIT = 100;

/** A page of an export, as it is written, and how many records it may have. */
interface ExportPage extends Page<Buffer> {
  readonly limit: number;
}

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
  readonly #answers: AnswerMemory;
  readonly #places = new ExportPlaces();

  constructor(reader: ResponsesReader, answers: AnswerMemory) {
    this.#reader = reader;
    this.#answers = answers;
  }

  /**
   * The bytes of the export, once its first page was read. It counts until `response` ends: taken, or given up.
   * @throws {ApiError} as a page would; 429 when the shop has two under way, 503 when too many are
   */
  async open(
    caller: Caller,
    parameters: ListParameters,
    format: ExportFormat,
    response: ServerResponse,
  ): Promise<Readable> {
    if (parameters.cursor?.direction === "before") {
      throw invalidRequest("ending_before", "An export goes on from starting_after; ending_before is for pages.");
    }
    const held = this.#answers.admit(caller.shopId, FIRST_LIMIT);
    let place: ExportPlace | null = null;
    try {
      place = this.#places.enter(caller.shopId);
      const first = await this.#read(caller, { ...parameters, limit: FIRST_LIMIT }, format);
      const length = first?.content.length ?? 0;
      if (!held.take(length, length)) throw held.refusal();
      held.releaseWith(response);
      place.leaveWith(response);
      return streamOf(this.#write(caller, parameters, format, first, held));
    } catch (error) {
      place?.leave();
      held.release();
      throw error;
    }
  }

  async *#write(
    caller: Caller,
    parameters: ListParameters,
    format: ExportFormat,
    first: ExportPage | null,
    held: HeldAnswer,
  ): AsyncGenerator<Buffer> {
    if (format.opening !== "") yield Buffer.from(format.opening);
    for (let page = first; page; ) {
      // The next page is read while this one is sent.
      const { length } = page.content;
      const next: Promise<ExportPage | null> = this.#following(caller, parameters, format, page);
      next.then(
        (following) => held.resize(length + (following?.content.length ?? 0)),
        () => {},
      );
      yield page.content;
      // Asked for more: the socket has taken this one.
      page = await next;
      if (page) held.resize(page.content.length);
    }
  }

  async #following(
    caller: Caller,
    parameters: ListParameters,
    format: ExportFormat,
    { edges, content, limit: before }: ExportPage,
  ): Promise<ExportPage | null> {
    if (!edges.follows) return null;
    const { id, insertedAt, updatedAt } = edges.last;
    const time = Date.parse(SORTS[parameters.sort].column === "inserted_at" ? insertedAt : updatedAt);
    const limit = Math.max(Math.min(Math.round((before * PAGE_BYTES) / content.length), 4 * before, MAX_LIMIT), 1);
    return await this.#read(caller, { ...parameters, limit, cursor: { direction: "after", id, time } }, format);
  }

  async #read(caller: Caller, parameters: ListParameters, format: ExportFormat): Promise<ExportPage | null> {
    const { cursor, limit } = parameters;
    const place: Position | null = cursor?.time === undefined ? null : { at: cursor.time, id: cursor.id };
    const statement = listResponsesSql(caller, parameters, place);
    const page = await readPage(this.#reader, statement, caller, parameters, format.write);
    if (page && !page.edges.follows) {
      const start = { place, isOnly: true, isByIdAlone: false };
      await this.#reader.positions.remember(caller, parameters, start, page.edges);
    }
    return page && { ...page, limit };
  }
}

/** Asks for a page when the one before was taken; a stream's own way would be to ask for one more beforehand. */
function streamOf(pages: AsyncGenerator<Buffer>): Readable {
  return new Readable({
    highWaterMark: 0,
    read() {
      pages.next().then(
        ({ done, value }) => this.push(done ? null : value),
        (error: Error) => this.destroy(error),
      );
    },
    destroy(error, done) {
      pages.return(undefined).catch(() => {});
      done(error);
    },
  });
}
