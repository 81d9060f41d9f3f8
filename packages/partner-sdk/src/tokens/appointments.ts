const LATE_MS = 60_000;

/** Connections that were told when to come back. Each has a turn from then on, before those who come for the first time. */
export class Appointments {
  readonly #due = new Map<string, number>();

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
