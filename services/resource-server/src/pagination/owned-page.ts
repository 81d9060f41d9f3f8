import type { ServerResponse } from "node:http";
import type { HeldMemory } from "../answers/answer-memory.ts";
import type { BufferPool } from "./buffer-pool.ts";
import { EMPTY_PAGE } from "./entity-tag/entity-tag.ts";
import { PageBody } from "./page-body.ts";
import type { PageParameters } from "./page-parameters.ts";
import type { PageReading, PageRow } from "./page-reader.ts";
import { type PageEdges, pageLinks } from "./prev-next-links.ts";

/** A page with its memory. It belongs to the handler, which disposes of it in any case: what was not sent is released then. */
export class OwnedPage implements Disposable {
  readonly parameters: PageParameters;
  readonly #pool: BufferPool;
  readonly #held: HeldMemory;
  #row: PageRow = { stamp: null, page: null };
  #body: PageBody | null = null;
  #isSent = false;

  /** @param held from before the page is read */
  constructor(parameters: PageParameters, pool: BufferPool, held: HeldMemory) {
    this.parameters = parameters;
    this.#pool = pool;
    this.#held = held;
  }

  /** The memory that its records are read into: {@link PageReading}. */
  readonly allocate: PageReading["allocate"] = (size) => {
    this.#body = new PageBody(this.#pool, size);
    this.#held.take(this.#body.size);
    return this.#body.records;
  };

  /** It was read. An empty page holds nothing. */
  set row(row: PageRow) {
    this.#row = row;
    if (row.page === null) this.#held.release();
  }

  get stamp(): string | null {
    return this.#row.stamp;
  }

  /** Null for an empty page. */
  get edges(): PageEdges | null {
    return this.#row.page?.edges ?? null;
  }

  get count(): number {
    return this.#row.page?.count ?? 0;
  }

  /** The answer, with links to `endpoint`. */
  body(endpoint: string): Buffer {
    const { page } = this.#row;
    if (!page || !this.#body) return EMPTY_PAGE;
    return this.#body.finish(page.records.length, pageLinks(endpoint, this.parameters, page.edges));
  }

  /**
   * The response sends the body: its memory is another page's once the socket has taken all of it. If the client goes away before, the
   * socket may still have it: then it is collected.
   */
  sentBy(response: ServerResponse): void {
    this.#isSent = true;
    response.once("finish", () => this.#body?.release());
    this.#held.releaseWith(response);
  }

  /** The response sends a copy of `bytes`. */
  copySentBy(response: ServerResponse, bytes: number): void {
    this.#isSent = true;
    this.#body?.release();
    this.#held.keep(bytes);
    this.#held.releaseWith(response);
  }

  [Symbol.dispose](): void {
    if (this.#isSent) return;
    this.#body?.release();
    this.#held.release();
  }
}
