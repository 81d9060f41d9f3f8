/** How long a connection may be late. */
const LATE_MS = 60_000;

/**
 * Connections that were told when to come back. Each of them has a turn from then on, so that those who come back are not
 * behind those who come for the first time.
 */
export class Appointments {
  readonly #due = new Map<string, number>();

  /** When this connection may come; undefined if it has no appointment. */
  of(connectionId: string, now: number): number | undefined {
    this.#forgetMissed(now);
    return this.#due.get(connectionId);
  }

  make(connectionId: string, due: number): void {
    this.#due.set(connectionId, due);
  }

  end(connectionId: string): void {
    this.#due.delete(connectionId);
  }

  /** How many others are to come before `time`. */
  before(time: number, connectionId: string | null, now: number): number {
    this.#forgetMissed(now);
    let count = 0;
    for (const [other, due] of this.#due) if (due < time && other !== connectionId) count++;
    return count;
  }

  #forgetMissed(now: number): void {
    for (const [connectionId, due] of this.#due) if (due + LATE_MS < now) this.#due.delete(connectionId);
  }
}
