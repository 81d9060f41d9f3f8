import type { IncomingMessage } from "node:http";
import { Transform, type Writable } from "node:stream";
import { noteFacts } from "@partner-connect/service-runtime";
import type { FastifyReply, FastifyRequest } from "fastify";

/** Three times the most that a service takes, so that the services say themselves what they refuse. As the Caddyfile has it. */
export const BODY_LIMIT = 100_000;

/** How much of a refused body is read, and for how long the client may then read the answer, before the connection ends. */
const READ_ON = 256 * 1024;
const LINGER_MS = 500;

const dropped = new WeakSet<IncomingMessage>();

export class BodyTooLarge extends Error {
  override readonly name = "BodyTooLarge";
}

export function announcesTooMuch(request: IncomingMessage): boolean {
  return Number(request.headers["content-length"] ?? 0) >= BODY_LIMIT;
}

/** As each service says it: 413, except for token calls (RFC 6749 §5.2 knows 400 alone). */
export function refuseBody(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  dropRest(request.raw);
  endAfter(request.raw, reply);
  noteFacts(request, { reason: "body_too_large" });
  const path = request.raw.url?.split("?", 1)[0] ?? "";
  if (path === "/oauth/api/token") {
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

/**
 * Reads what remains of a body that nobody wants, so that the client reads its answer and can use its connection again. One
 * that goes on and on is no longer read, and its connection ends.
 */
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

/**
 * The request's body as a stream of its own, to be forwarded: up to the limit. If forwarding ends early, the client's stream
 * goes on: once the answer is sent, the rest of the body is read and dropped. So the client gets the answer, and can use its
 * connection again.
 */
export function forwardedBody(body: IncomingMessage, answer: Writable): Transform {
  let size = 0;
  const forwarded = body.pipe(
    new Transform({
      transform(chunk: Buffer, _encoding, done) {
        size += chunk.length;
        if (size >= BODY_LIMIT) done(new BodyTooLarge());
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
