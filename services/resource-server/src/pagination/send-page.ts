import { crc32 } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { AnswerMemory } from "../answers/answer-memory.ts";
import { chooseCoding, compress } from "../http/content-coding.ts";
import { BufferPool } from "./buffer-pool.ts";
import { PageBody } from "./page-body.ts";
import type { PageParameters } from "./page-parameters.ts";
import type { Page } from "./page-reader.ts";
import { pageLinks } from "./prev-next-links.ts";

/** Below this, a compressed body saves no packet. */
const MIN_COMPRESSED = 1400;

const pool = new BufferPool();

const NO_RECORDS = Buffer.alloc(0);

export interface PageOptions {
  readonly answers: AnswerMemory;
  /** URL of the list, for its links. */
  readonly endpoint: string;
}

/** Copies the page's records; null when there is no memory for them. */
type Use = (records: Buffer) => PageBody | null;

/**
 * Answers with the page that `read` gives, in the envelope of every list. Its weak entity tag is a
 * checksum, some microseconds' work, so that a caller who has the page already gets 304 in place of its bytes; whether
 * they may have it was judged before, as for every page.
 * @throws {ApiError} 429 or 503 when there is no memory for the page, before it is read where that is known
 */
export async function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  { answers, endpoint }: PageOptions,
  parameters: PageParameters,
  read: (use: Use) => Promise<Page<PageBody | null> | null>,
): Promise<FastifyReply> {
  const held = answers.admit(request.caller.shopId, parameters.limit);
  const use: Use = (records) =>
    held.take(PageBody.lengthFor(records), records.length) ? new PageBody(pool, records) : null;
  try {
    const page = await read(use);
    const body = page ? page.content : use(NO_RECORDS);
    if (!body) throw held.refusal();
    const bytes = body.finish(pageLinks(endpoint, parameters, page?.edges ?? null));
    const tag = `W/"${crc32(bytes).toString(36)}-${bytes.length.toString(36)}"`;
    reply.header("etag", tag);
    reply.header("cache-control", "private, no-cache");
    reply.header("vary", "authorization, accept, accept-encoding");
    if (isKnown(request.headers["if-none-match"], tag)) {
      body.release();
      held.release();
      return reply.code(304).send();
    }
    reply.type("application/json; charset=utf-8");
    const coding = bytes.length < MIN_COMPRESSED ? null : chooseCoding(request.headers["accept-encoding"]);
    if (!coding) {
      // When the socket has taken all of it. If the caller goes away before, the buffer is simply collected.
      reply.raw.once("finish", () => body.release());
      held.releaseWith(reply.raw);
      return reply.send(bytes);
    }
    const compressed = await compress(bytes, coding);
    body.release();
    held.resize(compressed.length).releaseWith(reply.raw);
    return reply.header("content-encoding", coding).send(compressed);
  } catch (error) {
    held.release();
    throw error;
  }
}

/** RFC 9110 §13.1.2: weak comparison. */
function isKnown(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const opaque = tag.slice(2);
  return ifNoneMatch.split(",").some((candidate) => {
    const known = candidate.trim();
    return known === "*" || known === tag || known === opaque;
  });
}
