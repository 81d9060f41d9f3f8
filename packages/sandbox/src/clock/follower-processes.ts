import type { ChildProcess } from "node:child_process";
import { type ClockMessage, isClockMessage } from "./clock-message.ts";

/** The processes that tell the sandbox's time, each moved by messages that it confirms. */
export class FollowerProcesses {
  readonly #followers = new Map<ChildProcess, Follower>();

  /** `child` has just been started: it gets the present offset first of all. */
  add(name: string, child: ChildProcess, movedBy: number): void {
    const follower = new Follower(name, child);
    this.#followers.set(child, follower);
    const gone = (): void => {
      this.#followers.delete(child);
      follower.end();
    };
    child.once("exit", gone).once("error", gone);
    void follower.move(movedBy);
  }

  /** Resolves when each process whose name matches has confirmed `movedBy`, or has ended. */
  async move(names: RegExp, movedBy: number): Promise<void> {
    const asked = [...this.#followers.values()].filter(({ name }) => names.test(name));
    await Promise.all(asked.map((follower) => follower.move(movedBy)));
  }
}

class Follower {
  readonly name: string;
  readonly #child: ChildProcess;
  readonly #waiting = new Set<{ readonly movedBy: number; readonly done: () => void }>();
  #ended = false;

  constructor(name: string, child: ChildProcess) {
    this.name = name;
    this.#child = child;
    child.on("message", (message) => {
      if (isClockMessage(message)) this.#settle(message.movedBy);
    });
  }

  move(movedBy: number): Promise<void> {
    if (this.#ended) return Promise.resolve();
    return new Promise((done) => {
      this.#waiting.add({ movedBy, done });
      // A process that can't be told any more is about to end, and another one takes its place.
      this.#child.send({ sandboxClock: true, movedBy } satisfies ClockMessage, () => {});
    });
  }

  end(): void {
    this.#ended = true;
    this.#settle(Number.POSITIVE_INFINITY);
  }

  #settle(confirmed: number): void {
    for (const wait of this.#waiting) {
      if (wait.movedBy > confirmed) continue;
      this.#waiting.delete(wait);
      wait.done();
    }
  }
}
