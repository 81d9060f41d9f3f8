import { crc32 } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";
import { chooseCoding, compress } from "./content-coding.ts";

/** Below this, a compressed body saves no packet. */
const MIN_COMPRESSED = 1400;

/**
 * Sends the JSON text of a list. Its weak entity tag is a checksum, some microseconds' work, so that a caller who has
 * the page already gets 304 in place of its bytes; whether they may have it was judged before, as for every page.
 */
export async function sendPage(request: FastifyRequest, reply: FastifyReply, body: Buffer): Promise<FastifyReply> {
  const tag = `W/"${crc32(body).toString(36)}-${body.length.toString(36)}"`;
  reply.headers({ etag: tag, "cache-control": "private, no-cache", vary: "authorization, accept, accept-encoding" });
  if (isKnown(request.headers["if-none-match"], tag)) return reply.code(304).send();
  reply.type("application/json; charset=utf-8");
  const coding = body.length < MIN_COMPRESSED ? null : chooseCoding(request.headers["accept-encoding"]);
  if (!coding) return reply.send(body);
  return reply.header("content-encoding", coding).send(await compress(body, coding));
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
