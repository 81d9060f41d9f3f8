import { Redis, type RedisOptions } from "ioredis";

/**
 * ioredis with less work a command, which is most of what a refresh asks of it:
 *
 * - What one turn of the event loop asks goes out in one write. Its own auto-pipelining does so by a promise and a
 *   pipeline more for each command, which keep each other alive until the whole heap is collected.
 * - One timer watches the connection. Its own `commandTimeout` hangs a timer on each command and deletes it again, which
 *   makes every command an object that V8 handles slowly.
 */
export class RedisConnection extends Redis {
  #corked = false;
  #silence: NodeJS.Timeout | undefined;

  /** `silence`: milliseconds after which a connection that owes an answer is given up, and its commands fail. */
  constructor(url: string, silence: number, options: Omit<RedisOptions, "replyMapping">) {
    super(url, options);
    this.on("connect", () => this.#watch(silence));
  }

  override sendCommand(...command: Parameters<Redis["sendCommand"]>): unknown {
    this.#corkForThisTurn();
    if (this.commandQueue.length === 0) this.#silence?.refresh();
    return super.sendCommand(...command);
  }

  #corkForThisTurn(): void {
    const { stream } = this;
    if (this.#corked || !stream?.writable) return;
    this.#corked = true;
    stream.cork();
    setImmediate(() => {
      this.#corked = false;
      stream.uncork();
    });
  }

  #watch(silence: number): void {
    const { stream } = this;
    let heard = 0;
    const timer = setTimeout(() => {
      // What is sent from here on has a silence of its own: `sendCommand` starts the timer again.
      if (this.commandQueue.length === 0) return;
      // Where this process itself was busy for so long, the answer is there and waits to be read: timers come first.
      const before = heard;
      setImmediate(() => {
        if (heard > before) return;
        stream.destroy(new Error(`Redis has said nothing for ${silence} ms`));
      });
    }, silence);
    stream.on("data", () => {
      heard++;
      timer.refresh();
    });
    stream.once("close", () => clearTimeout(timer));
    this.#silence = timer;
  }
}
