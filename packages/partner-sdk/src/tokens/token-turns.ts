import type { Clock } from "../clock.ts";
import { TokenLimitReached } from "../errors/index.ts";
import { TurnSupply } from "./turn-supply.ts";

export interface TokenTurnsOptions {
  readonly perMinute: number;
  /** Who would wait longer is told so at once. */
  readonly longestWaitMs: number;
  readonly clock: Clock;
}

type Start = () => void;

/** Who may call the token endpoint, and when: exchanges and batches of refreshes share the calls of a minute, in the order of asking. */
export class TokenTurns {
  readonly #options: TokenTurnsOptions;
  readonly #supply: TurnSupply;
  readonly #urgent: Start[] = [];
  readonly #waiting: Start[] = [];
  #serving = false;

  constructor(options: TokenTurnsOptions) {
    this.#options = options;
    this.#supply = new TurnSupply(options.perMinute);
  }

  /**
   * Runs `call` when it has a turn. @throws {TokenLimitReached} at once, if the wait would be too long
   * @param urgent it goes before those who wait: a merchant waits for it, or it is a repetition
   */
  async run<T>(urgent: boolean, call: () => Promise<T>): Promise<T> {
    const { clock } = this.#options;
    const line = this.#admit(urgent);
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

  /** Which part of the last minute's turns is taken: 0 to 1. */
  taken(): number {
    return this.#supply.taken(this.#options.clock.now());
  }

  #admit(urgent: boolean): Start[] {
    const { clock, longestWaitMs, perMinute } = this.#options;
    const now = clock.now();
    const waitMs = this.#supply.startOf(this.#urgent.length + (urgent ? 0 : this.#waiting.length), now) - now;
    if (waitMs <= longestWaitMs) return urgent ? this.#urgent : this.#waiting;
    const seconds = Math.max(1, Math.ceil(waitMs / 1000));
    const message = `this takes more than ${perMinute} token calls a minute: the next one can be made in ${seconds} s`;
    throw new TokenLimitReached(null, seconds, message);
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
