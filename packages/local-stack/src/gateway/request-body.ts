import type { IncomingMessage } from "node:http";
import { PassThrough, type Readable, type Writable } from "node:stream";

/**
 * The request's body as a stream of its own, to be forwarded. If forwarding ends early, the client's stream goes on: once
 * the answer is sent, the rest of the body is read and dropped. So the client gets the answer, and can use its connection
 * again.
 */
export function forwardedBody(body: IncomingMessage, answer: Writable): Readable {
  const forwarded = body.pipe(new PassThrough());
  // The proxy reports the failure itself.
  forwarded.on("error", () => {});
  answer.once("finish", () => body.unpipe(forwarded).resume());
  body.once("close", () => {
    if (!body.complete) forwarded.destroy(new Error("the client went away"));
  });
  return forwarded;
}
