import type { FastifyReply, FastifyRequest } from "fastify";
import type { AnswerMemory } from "../answers/answer-memory.ts";
import { chooseCoding, compress } from "../http/content-coding.ts";
import type { UsageCounters } from "../usage/usage-counters.ts";
import { BufferPool } from "./buffer-pool.ts";
import { entityTag } from "./entity-tag.ts";
import { PageBody } from "./page-body.ts";
import type { PageParameters } from "./page-parameters.ts";
import type { Page, PageMemory } from "./page-reader.ts";
import { pageLinks } from "./prev-next-links.ts";

/** Below this, a compressed body saves no packet. */
const MIN_COMPRESSED = 1400;

const pool = new BufferPool();

export interface PageOptions {
  readonly answers: AnswerMemory;
  readonly usage: UsageCounters;
  /** URL of the list, for its links. */
  readonly endpoint: string;
}

/**
 * Answers with the page that `read` gives, in the envelope of every list. By its weak entity
 * tag a caller who has the page already gets 304 in place of its bytes. Whether they may have it was decided
 * before, as for every page.
 * @throws {ApiError} 429 or 503 when there is no memory for the page, before it is read where that is known
 */
export async function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  { answers, usage, endpoint }: PageOptions,
  parameters: PageParameters,
  read: (memory: PageMemory) => Promise<Page | null>,
): Promise<FastifyReply> {
  const { shopId } = request.caller;
  const held = answers.admit(shopId, parameters.limit);
  const newBody = (size: number, shown: number): PageBody => {
    if (!held.take(PageBody.lengthFor(size), shown)) throw held.refusal();
    return new PageBody(pool, size);
  };
  let filled: PageBody | undefined;
  const allocate = (size: number, shown: number): Buffer => {
    filled = newBody(size, shown);
    return filled.records;
  };
  try {
    const page = await read({ shopId, expected: held.expected, allocate });
    const body = filled ?? newBody(0, 0);
    const bytes = body.finish(page?.records.length ?? 0, pageLinks(endpoint, parameters, page?.edges ?? null));
    const tag = entityTag(bytes);
    reply.header("etag", tag);
    reply.header("cache-control", "private, no-cache");
    reply.header("vary", "authorization, accept, accept-encoding");
    if (isKnown(request.headers["if-none-match"], tag)) {
      body.release();
      held.release();
      return reply.code(304).send();
    }
    if (request.method !== "HEAD") usage.records(request.caller, page?.count ?? 0);
    reply.type("application/json; charset=utf-8");
    const coding = bytes.length < MIN_COMPRESSED ? null : chooseCoding(request.headers["accept-encoding"]);
    if (!coding) {
      held.releaseWith(reply.raw);
      return sendOwned(reply, bytes, () => body.release());
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

/**
 * Sends bytes whose memory another answer gets afterwards: `release` is called when the socket has taken all of them. If
 * the client goes away before, it is not called, as the socket may still have them; they are collected then.
 */
export function sendOwned(reply: FastifyReply, body: Buffer, release: () => void): FastifyReply {
  reply.raw.once("finish", release);
  return reply.send(body);
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
