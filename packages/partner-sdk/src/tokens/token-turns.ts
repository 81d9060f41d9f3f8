import type { Clock } from "../clock.ts";
import { TokenLimitReached } from "../errors/index.ts";
import { Appointments } from "./appointments.ts";
import { TurnSupply } from "./turn-supply.ts";

export interface TokenTurnsOptions {
  readonly perMinute: number;
  /** Who would wait longer is told so at once. */
  readonly longestWaitMs: number;
  readonly clock: Clock;
}

export interface TurnRequest {
  /** Null for the exchange of a code. */
  readonly connectionId: string | null;
  /** It goes before those who wait: a merchant waits for it, or it is a repetition. */
  readonly urgent: boolean;
}

type Start = () => void;

/** Who may call the token endpoint, and when: all connections share the calls of a minute, in the order of asking. */
export class TokenTurns {
  readonly #options: TokenTurnsOptions;
  readonly #supply: TurnSupply;
  readonly #appointments = new Appointments();
  readonly #urgent: Start[] = [];
  readonly #waiting: Start[] = [];
  #serving = false;

  constructor(options: TokenTurnsOptions) {
    this.#options = options;
    this.#supply = new TurnSupply(options.perMinute);
  }

  /** Runs `call` when it has a turn. @throws {TokenLimitReached} at once, if the wait would be too long */
  async run<T>(request: TurnRequest, call: () => Promise<T>): Promise<T> {
    const { clock } = this.#options;
    const line = this.#admit(request);
    const turn = await new Promise<ReturnType<TurnSupply["take"]>>((resolve) => {
      line.push(() => resolve(this.#supply.take(clock.now())));
      void this.#serve();
    });
    try {
      return await call();
    } finally {
      turn.ended(clock.now());
    }
  }

  /** The server said that no call before then is of use. */
  pause(seconds: number): void {
    this.#supply.pauseUntil(this.#options.clock.now() + seconds * 1000);
  }

  #admit({ connectionId, urgent }: TurnRequest): Start[] {
    const { clock, longestWaitMs } = this.#options;
    const now = clock.now();
    const due = connectionId === null ? undefined : this.#appointments.of(connectionId, now);
    const first = urgent || (due !== undefined && due <= now);
    const others = first ? 0 : this.#waiting.length + this.#appointments.before(due ?? Infinity, connectionId, now);
    const start = this.#supply.startOf(this.#urgent.length + others, now);
    if (start - now > longestWaitMs) throw this.#tooLate(connectionId, Math.min(start, due ?? Infinity), now);
    if (connectionId !== null) this.#appointments.end(connectionId);
    return first ? this.#urgent : this.#waiting;
  }

  #tooLate(connectionId: string | null, start: number, now: number): TokenLimitReached {
    if (connectionId !== null) this.#appointments.make(connectionId, start);
    const seconds = Math.max(1, Math.ceil((start - now) / 1000));
    const { perMinute } = this.#options;
    return new TokenLimitReached(
      connectionId,
      seconds,
      `more connections want a token than ${perMinute} token calls a minute allow: this one has a turn in ${seconds} s`,
    );
  }

  async #serve(): Promise<void> {
    if (this.#serving) return;
    this.#serving = true;
    const { clock } = this.#options;
    while (this.#urgent.length + this.#waiting.length > 0) {
      const now = clock.now();
      const start = this.#supply.startOf(0, now);
      if (start > now) await clock.sleep(start - now);
      else (this.#urgent.shift() ?? this.#waiting.shift())?.();
    }
    this.#serving = false;
  }
}
