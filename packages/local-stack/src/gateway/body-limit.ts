import type { IncomingMessage } from "node:http";
import { Transform, type Writable } from "node:stream";
import { noteFacts } from "@partner-connect/service-runtime";
import type { FastifyReply, FastifyRequest } from "fastify";

/** Three times the most that a service takes, so that the services say themselves what they refuse. As the Caddyfile has it. */
export const BODY_LIMIT = 100_000;

/** A batch of refreshes may have 256 KB. */
const BATCH_PATH = "/oauth/api/token/batch";
const BATCH_LIMIT = 300_000;

const pathOf = ({ url = "" }: IncomingMessage): string => url.split("?", 1)[0] ?? "";
const limitOf = (request: IncomingMessage): number => (pathOf(request) === BATCH_PATH ? BATCH_LIMIT : BODY_LIMIT);

/** How much of a refused body is read, and for how long the client may then read the answer, before the connection ends. */
const READ_ON = 256 * 1024;
const LINGER_MS = 2000;

const dropped = new WeakSet<IncomingMessage>();

export class BodyTooLarge extends Error {
  override readonly name = "BodyTooLarge";
}

export function announcesTooMuch(request: IncomingMessage): boolean {
  return Number(request.headers["content-length"] ?? 0) >= limitOf(request);
}

/** As each service says it: 413, except for token calls (RFC 6749 §5.2 knows 400 alone). */
export function refuseBody(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  dropRest(request.raw);
  endAfter(request.raw, reply);
  noteFacts(request, { reason: "body_too_large" });
  const path = pathOf(request.raw);
  if (path === "/oauth/api/token" || path === BATCH_PATH) {
    return reply
      .code(400)
      .headers({ "cache-control": "no-store", pragma: "no-cache" })
      .send({ error: "invalid_request", error_description: "the body can't be read" });
  }
  return reply.code(413).send({ error: path.startsWith("/api/") ? "payload_too_large" : "bad_request" });
}

/** The client shall not use this connection again, but have time to read the answer: Node would destroy it at once. */
function endAfter({ socket }: IncomingMessage, reply: FastifyReply): void {
  reply.header("connection", "close");
  socket.destroySoon = () => void socket.end();
  reply.raw.once("finish", () => setTimeout(() => socket.destroy(), LINGER_MS).unref());
}

/** Drops the rest of a body, so that the client reads its answer and can go on. One that goes on and on loses its connection. */
function dropRest(body: IncomingMessage): void {
  if (dropped.has(body)) return;
  dropped.add(body);
  let left = READ_ON;
  body.on("data", (chunk: Buffer) => {
    const before = left;
    left -= chunk.length;
    if (left >= 0 || before < 0) return;
    body.pause();
    setTimeout(() => body.socket.destroy(), LINGER_MS).unref();
  });
  body.resume();
}

/** The body up to the limit, as a stream to forward. Once there is an answer, the rest of the client's stream is dropped. */
export function forwardedBody(body: IncomingMessage, answer: Writable): Transform {
  const limit = limitOf(body);
  let size = 0;
  const forwarded = body.pipe(
    new Transform({
      transform(chunk: Buffer, _encoding, done) {
        size += chunk.length;
        if (size >= limit) done(new BodyTooLarge());
        else done(null, chunk);
      },
    }),
  );
  // The proxy reports the failure itself.
  forwarded.on("error", () => {});
  answer.once("finish", () => dropRest(body.unpipe(forwarded)));
  body.once("close", () => {
    if (!body.complete) forwarded.destroy(new Error("the client went away"));
  });
  return forwarded;
}
