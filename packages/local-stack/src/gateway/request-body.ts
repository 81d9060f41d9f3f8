import type { IncomingMessage } from "node:http";
import { Transform, type Writable } from "node:stream";
import { BODY_LIMIT, BodyTooLarge, dropRest } from "./body-limit.ts";

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
