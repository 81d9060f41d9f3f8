import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { AnswerMemory } from "../../answers/answer-memory.ts";
import type { Caller } from "../../authentication/caller.ts";
import { invalidRequest } from "../../errors/api-error.ts";
import { MAX_LIMIT } from "../../pagination/limit-and-cursor.ts";
import type { PageRecords } from "../../pagination/page-reader.ts";
import { pageLinks } from "../../pagination/prev-next-links.ts";
import type { UsageCounters } from "../../usage/usage-counters.ts";
import type { ListParameters } from "../parameters/list-parameters.ts";
import { EXPORT_PAGE_BYTES, ExportPages, type ExportReader } from "./export-pages.ts";
import { type ExportPlace, ExportPlaces } from "./export-places.ts";
import type { ExportFormat } from "./format.ts";

/** What an export holds from its begin to its end: the page that is sent, and the next one. */
const HELD_BYTES = 2 * EXPORT_PAGE_BYTES;

export interface ExportsOptions extends ExportReader {
  readonly answers: AnswerMemory;
  readonly usage: UsageCounters;
  readonly publicApiUrl: string;
}

/** Exports of responses. A caller who reads slowly costs two pages of memory, and nothing in the database. */
export class Exports {
  readonly #options: ExportsOptions;
  readonly #places = new ExportPlaces();

  constructor(options: ExportsOptions) {
    this.#options = options;
  }

  get underWay(): number {
    return this.#places.taken;
  }

  /**
   * The bytes of an export, once its first page is read. Place and memory are given back when `response` ends. @throws {ApiError} as a page
   * would; 429 when the shop has two exports under way, 503 when there are too many
   */
  async open(
    caller: Caller,
    parameters: ListParameters,
    format: ExportFormat,
    response: ServerResponse,
  ): Promise<Readable> {
    if (parameters.cursor?.direction === "backward") {
      throw invalidRequest("ending_before", "An export goes on from starting_after; ending_before is for pages.");
    }
    const { answers, usage, publicApiUrl } = this.#options;
    const held = answers.hold(caller.shopId, HELD_BYTES + (format.extraBytes ?? 0));
    let place: ExportPlace | null = null;
    try {
      place = this.#places.enter(caller.shopId);
      const pages = new ExportPages(this.#options, caller, parameters);
      const first = await pages.first();
      held.releaseWith(response);
      place.leaveWith(response);
      const linkOf = ({ edges }: PageRecords) => pageLinks(`${publicApiUrl}/api/responses`, parameters, edges).next;
      return streamOnDemand(write(pages, { first, linkOf }, format, (count) => usage.records(caller, count)));
    } catch (error) {
      place?.leave();
      held.release();
      throw error;
    }
  }
}

/** The export's bytes in pieces. Each page is read while the one before it is sent. */
async function* write(
  pages: ExportPages,
  { first, linkOf }: { readonly first: PageRecords | null; readonly linkOf: (last: PageRecords) => string | null },
  { begin, mostRecords = Number.POSITIVE_INFINITY }: ExportFormat,
  sent: (records: number) => void,
): AsyncGenerator<Buffer> {
  const writer = begin();
  let left = mostRecords;
  let following: string | null = null;
  if (writer.opening !== undefined) yield Buffer.from(writer.opening);
  for (let page = first; page; ) {
    left -= page.count;
    const isLast = left < MAX_LIMIT;
    following = linkOf(page);
    const next: Promise<PageRecords | null> = isLast ? Promise.resolve(null) : pages.after(page);
    next.catch(() => {}); // awaited below
    for (const piece of writer.write(page.records)) {
      yield piece;
      // The socket has taken the piece. Other requests get their turn before the next one is made.
      await nextTurn();
    }
    sent(page.count);
    page = await next;
  }
  if (writer.end) yield writer.end(following);
}

/** A stream that asks for the next piece only once the one before was taken. `Readable.from` would ask for one more ahead. */
function streamOnDemand(pieces: AsyncGenerator<Buffer>): Readable {
  return new Readable({
    highWaterMark: 0,
    read() {
      pieces.next().then(
        ({ done, value }) => this.push(done ? null : value),
        (error: Error) => this.destroy(error),
      );
    },
    destroy(error, done) {
      pieces.return(undefined).catch(() => {});
      done(error);
    },
  });
}
