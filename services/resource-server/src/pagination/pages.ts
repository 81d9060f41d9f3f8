import assert from "node:assert/strict";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { AnswerMemory } from "../answers/answer-memory.ts";
import type { Statement } from "../authorization/statement.ts";
import { chooseCoding, compress } from "../http/content-coding.ts";
import type { UsageCounters } from "../usage/usage-counters.ts";
import { BufferPool } from "./buffer-pool.ts";
import { entityTag, isNamedBy } from "./entity-tag/entity-tag.ts";
import { type KnownPageOptions, knownTag, pageState } from "./entity-tag/known-page.ts";
import type { StateAndStamp } from "./entity-tag/shop-stamp.query.ts";
import type { PageParameters } from "./limit-and-cursor.ts";
import { OwnedPage } from "./owned-page.ts";
import { readPage, requireReadable } from "./page-reader.ts";

/** Below this, a compressed body saves no packet. */
const MIN_COMPRESSED = 1400;

export interface PagesOptions extends KnownPageOptions {
  readonly answers: AnswerMemory;
  readonly usage: UsageCounters;
}

/** What a statement says of a page that may be empty. */
interface MaybeEmpty extends StateAndStamp {
  readonly cursorKnown: boolean;
  readonly isEmpty: boolean;
}

/** The pages of all lists. `place` says what decides a page beside the request and the shop's records. */
export class Pages {
  readonly #options: PagesOptions;
  readonly #pool = new BufferPool();

  constructor(options: PagesOptions) {
    this.#options = options;
  }

  async knownTag(request: FastifyRequest, place = ""): Promise<string | null> {
    return await knownTag(this.#options, request, place);
  }

  /**
   * The page, if the statement says that it is empty; null if it has to be read to know. A caller who sent a tag was not told 304 by
   * {@link knownTag}, so the page has probably changed, and is read at once.
   * @throws {ApiError} 403, 401 or 400, as {@link readPage}
   */
  async readEmpty(
    { caller: { shopId }, headers }: FastifyRequest,
    statement: Statement | null,
    parameters: PageParameters,
  ): Promise<OwnedPage | null> {
    if (!statement || headers["if-none-match"] !== undefined) return null;
    const { database, answers } = this.#options;
    const { text, values } = statement;
    const [row] = await database.run(shopId, (sql) => sql.unsafe<MaybeEmpty[]>(text, values, { prepare: true }));
    assert(row !== undefined, "the statement returned no row");
    requireReadable(parameters, row.state, row.cursorKnown);
    if (!row.isEmpty) return null;
    const page = new OwnedPage(parameters, this.#pool, answers.hold(shopId, 0));
    page.row = { stamp: row.stamp, page: null };
    return page;
  }

  /** @throws {ApiError} 429 or 503 when there is no memory for it; or as {@link readPage} */
  async read(request: FastifyRequest, statement: Statement, parameters: PageParameters): Promise<OwnedPage> {
    const { database, answers } = this.#options;
    const { shopId } = request.caller;
    const expected = answers.expect(shopId, parameters.limit);
    const page = new OwnedPage(parameters, this.#pool, answers.admit(shopId, parameters.limit));
    try {
      const row = await readPage(database, { shopId, statement, parameters, expected, allocate: page.allocate });
      answers.note(shopId, parameters.limit, row.page?.records.length ?? 0);
      page.row = row;
      return page;
    } catch (error) {
      page[Symbol.dispose]();
      throw error;
    }
  }

  /** Sends a page; or 304 where `If-None-Match` names it. Whether the caller may have it was decided when it was read. */
  async send(request: FastifyRequest, reply: FastifyReply, page: OwnedPage, place = ""): Promise<FastifyReply> {
    const { publicApiUrl, usage } = this.#options;
    const [path] = request.url.split("?", 1);
    const body = page.body(`${publicApiUrl}${path}`);
    const tag = entityTag(pageState(this.#options, request, page.stamp, place), body);
    if (isNamedBy(request.headers["if-none-match"], tag)) return notModified(reply, tag);
    if (request.method !== "HEAD") usage.records(request.caller, page.count);
    withTag(reply, tag).type("application/json; charset=utf-8");
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

export function notModified(reply: FastifyReply, tag: string): FastifyReply {
  return withTag(reply, tag).code(304).send();
}

function withTag(reply: FastifyReply, tag: string): FastifyReply {
  return reply
    .header("etag", tag)
    .header("cache-control", "private, no-cache")
    .header("vary", "authorization, accept, accept-encoding");
}
