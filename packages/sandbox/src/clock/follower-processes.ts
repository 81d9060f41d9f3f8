import type { ChildProcess } from "node:child_process";

/** To a process: the offset from now on. From it: it tells this time now. */
export interface ClockMessage {
  readonly sandboxClock: true;
  /** Milliseconds. */
  readonly movedBy: number;
}

export function isClockMessage(message: unknown): message is ClockMessage {
  return typeof message === "object" && message !== null && "sandboxClock" in message;
}

/** The processes that tell the sandbox's time, each moved by messages that it confirms. */
export class FollowerProcesses {
  readonly #names = new Map<ChildProcess, string>();

  /** `child` has just been started: it gets the present offset first of all. */
  add(name: string, child: ChildProcess, movedBy: number): void {
    this.#names.set(child, name);
    const gone = (): void => void this.#names.delete(child);
    child.once("exit", gone).once("error", gone);
    void move(child, movedBy);
  }

  /** Resolves when each process whose name matches has confirmed `movedBy`, or a later time, or has ended. */
  async move(names: RegExp, movedBy: number): Promise<void> {
    const asked = [...this.#names].filter(([, name]) => names.test(name));
    await Promise.all(asked.map(([child]) => move(child, movedBy)));
  }
}

async function move(child: ChildProcess, movedBy: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const hear = (message: unknown): void => {
    if (isClockMessage(message) && message.movedBy >= movedBy) resolve();
  };
  child.on("message", hear).once("exit", resolve).once("error", resolve);
  // A process that can't be told any more is about to end, and another one takes its place.
  child.send({ sandboxClock: true, movedBy } satisfies ClockMessage, () => {});
  await promise;
  child.off("message", hear).off("exit", resolve).off("error", resolve);
}
