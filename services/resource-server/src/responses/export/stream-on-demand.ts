import { Readable } from "node:stream";

/** A stream that asks for the next piece only once the one before was taken. `Readable.from` would ask for one more ahead. */
export function streamOnDemand(pieces: AsyncGenerator<Buffer>): Readable {
  return new Readable({
    highWaterMark: 0,
    read() {
      pieces.next().then(
        ({ done, value }) => this.push(done ? null : value),
        (error: Error) => this.destroy(error),
      );
    },
    destroy(error, done) {
      pieces.return(undefined).catch(() => {});
      done(error);
    },
  });
}
