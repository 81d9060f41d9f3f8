import { crc32 } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";
import { chooseCoding, compress } from "../http/content-coding.ts";
import { BufferPool } from "./buffer-pool.ts";
import { type PageEdges, pageLinks } from "./page-links.ts";
import type { PageParameters } from "./parameters.ts";
import { type RecordWriter, TextWriter } from "./record-writer.ts";

/** Below this, a compressed body saves no packet. */
const MIN_COMPRESSED = 1400;

const pool = new BufferPool();

/**
 * Answers with the page that `read` writes: the envelope of every list around its records. Its weak entity tag is a
 * checksum, some microseconds' work, so that a caller who has the page already gets 304 in place of its bytes; whether
 * they may have it was judged before, as for every page.
 */
export async function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  endpoint: string,
  parameters: PageParameters,
  read: (writer: RecordWriter) => Promise<PageEdges | null>,
): Promise<FastifyReply> {
  const writer = new TextWriter(pool, '{"data":[', ",");
  const links = pageLinks(endpoint, parameters.given, await read(writer));
  const body = writer.finish(`],"prev":${JSON.stringify(links.prev)},"next":${JSON.stringify(links.next)}}`);
  const tag = `W/"${crc32(body).toString(36)}-${body.length.toString(36)}"`;
  reply.header("etag", tag);
  reply.header("cache-control", "private, no-cache");
  reply.header("vary", "authorization, accept, accept-encoding");
  if (isKnown(request.headers["if-none-match"], tag)) {
    writer.release();
    return reply.code(304).send();
  }
  reply.type("application/json; charset=utf-8");
  const coding = body.length < MIN_COMPRESSED ? null : chooseCoding(request.headers["accept-encoding"]);
  if (!coding) {
    // When the socket has taken all of it. If the caller goes away before, the memory is simply collected.
    reply.raw.once("finish", () => writer.release());
    return reply.send(body);
  }
  const compressed = await compress(body, coding);
  writer.release();
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
