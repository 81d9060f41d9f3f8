import type { FastifyReply, FastifyRequest } from "fastify";
import type { AnswerMemory } from "../answers/answer-memory.ts";
import type { Statement } from "../authorization/statement.ts";
import { chooseCoding, compress } from "../http/content-coding.ts";
import type { Database } from "../stores/database.ts";
import type { Usage } from "../usage/usage.ts";
import { BufferPool } from "./buffer-pool.ts";
import type { PageParameters } from "./limit-and-cursor.ts";
import { OwnedPage } from "./owned-page.ts";
import { readPage } from "./page-reader.ts";

/** Below this, a compressed body saves no packet. */
const MIN_COMPRESSED = 1400;

export interface PagesOptions {
  readonly database: Database;
  readonly answers: AnswerMemory;
  readonly usage: Usage;
  readonly publicApiUrl: string;
}

/** The pages of all lists. */
export class Pages {
  readonly #options: PagesOptions;
  readonly #pool = new BufferPool();

  constructor(options: PagesOptions) {
    this.#options = options;
  }

  /** @throws {ApiError} 429 or 503 when there is no memory for it; or as {@link readPage} */
  async read(request: FastifyRequest, statement: Statement, parameters: PageParameters): Promise<OwnedPage> {
    const { database, answers } = this.#options;
    const { shopId } = request.caller;
    const expected = Math.min(
      answers.expect(shopId, parameters.limit),
      parameters.mostBytes ?? Number.POSITIVE_INFINITY,
    );
    const page = new OwnedPage(parameters, this.#pool, answers.admit(shopId, parameters.limit));
    try {
      const read = await readPage(database, { shopId, statement, parameters, expected, allocate: page.allocate });
      answers.note(shopId, parameters.limit, read?.records.length ?? 0);
      page.read = read;
      return page;
    } catch (error) {
      page[Symbol.dispose]();
      throw error;
    }
  }

  /** Whether the caller may have the page was decided when it was read. */
  async send(request: FastifyRequest, reply: FastifyReply, page: OwnedPage): Promise<FastifyReply> {
    const { publicApiUrl, usage } = this.#options;
    const [path] = request.url.split("?", 1);
    const body = page.body(`${publicApiUrl}${path}`);
    if (request.method !== "HEAD") usage.records(request.caller, page.count);
    reply
      .type("application/json; charset=utf-8")
      .header("cache-control", "private, no-cache")
      .header("vary", "authorization, accept-encoding");
    const coding = body.length < MIN_COMPRESSED ? null : chooseCoding(request.headers["accept-encoding"]);
    if (!coding) {
      page.sentBy(reply.raw);
      return reply.send(body);
    }
    const compressed = await compress(body, coding);
    page.copySentBy(reply.raw, compressed.length);
    return reply.header("content-encoding", coding).send(compressed);
  }
}
