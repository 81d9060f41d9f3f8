import { crc32 } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";
import { chooseCoding, compress } from "../http/content-coding.ts";
import { BufferPool } from "./buffer-pool.ts";
import { PageBody } from "./page-body.ts";
import { pageLinks } from "./page-links.ts";
import type { PageParameters } from "./parameters.ts";
import type { Page } from "./read-page.ts";

/** Below this, a compressed body saves no packet. */
const MIN_COMPRESSED = 1400;

const pool = new BufferPool();

const NO_RECORDS = Buffer.alloc(0);

/**
 * Answers with the page that `read` gives, in the envelope of every list. Its weak entity tag is a
 * checksum, some microseconds' work, so that a caller who has the page already gets 304 in place of its bytes; whether
 * they may have it was judged before, as for every page.
 */
export async function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  endpoint: string,
  parameters: PageParameters,
  read: (use: (records: Buffer) => PageBody) => Promise<Page<PageBody> | null>,
): Promise<FastifyReply> {
  const page = await read((records) => new PageBody(pool, records));
  const content = page?.content ?? new PageBody(pool, NO_RECORDS);
  const body = content.finish(pageLinks(endpoint, parameters, page?.edges ?? null));
  const tag = `W/"${crc32(body).toString(36)}-${body.length.toString(36)}"`;
  reply.header("etag", tag);
  reply.header("cache-control", "private, no-cache");
  reply.header("vary", "authorization, accept, accept-encoding");
  if (isKnown(request.headers["if-none-match"], tag)) {
    content.release();
    return reply.code(304).send();
  }
  reply.type("application/json; charset=utf-8");
  const coding = body.length < MIN_COMPRESSED ? null : chooseCoding(request.headers["accept-encoding"]);
  if (!coding) {
    // When the socket has taken all of it. If the caller goes away before, the memory is simply collected.
    reply.raw.once("finish", () => content.release());
    return reply.send(body);
  }
  const compressed = await compress(body, coding);
  content.release();
  return reply.header("content-encoding", coding).send(compressed);
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
