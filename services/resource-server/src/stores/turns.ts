import { within } from "@partner-connect/database";
import { type FaultReason, unavailable } from "../errors/api-error.ts";

export interface TurnsOptions {
  /** Milliseconds that a caller waits, first for its turn and then for the result. */
  readonly timeout: number;
  readonly ofShop: number;
  /** Under way at a time of all shops, however heavy. */
  readonly inAll: number;
  /** That may wait, of all shops together. A shop may have as many as it leaves for others. */
  readonly mostWaiting: number;
  /** Why one more is refused at once. So no queue grows. */
  readonly refusal: FaultReason;
}

interface Turn {
  readonly weight: number;
  readonly begin: () => void;
  /** Its caller has stopped waiting. */
  isAbandoned: boolean;
}

/** A shop that has something under way or waiting. */
interface Shop {
  readonly id: string;
  /** By weight. */
  underWay: number;
  readonly waiting: Turn[];
  /** It is in the row of those whose turn is next. */
  isNext: boolean;
}

/**
 * Work of many shops: a few pieces of each are under way at a time, in order, and shops take turns, so what one asks for delays its own
 * work.
 */
export class Turns {
  readonly #options: TurnsOptions;
  readonly #shops = new Map<string, Shop>();
  readonly #next: Shop[] = [];
  #underWay = 0;
  #waiting = 0;

  constructor(options: TurnsOptions) {
    this.#options = options;
  }

  /**
   * A turn lasts until `run` has ended, also after its caller stopped waiting; what is abandoned before its turn is never run. `weight`:
   * how many light pieces it stands for. @throws {ApiError} 503 when too much waits, a database fault when it takes too long, or what `run`
   * throws
   */
  async take<T>(shopId: string, run: () => PromiseLike<T>, weight = 1): Promise<T> {
    const shop = this.#shops.get(shopId) ?? { id: shopId, underWay: 0, waiting: [], isNext: false };
    if (shop.waiting.length >= this.#options.mostWaiting - this.#waiting) throw unavailable(this.#options.refusal);
    this.#shops.set(shopId, shop);
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const turn: Turn = { weight, begin, isAbandoned: false };
    const result = begun.then(run);
    const end = (): void => this.#end(shop, weight);
    result.then(end, end);
    shop.waiting.push(turn);
    this.#waiting++;
    this.#queue(shop);
    this.#beginNext();
    try {
      return await within(this.#options.timeout, result);
    } finally {
      turn.isAbandoned = true;
    }
  }

  #end(shop: Shop, weight: number): void {
    shop.underWay -= weight;
    this.#underWay--;
    this.#queue(shop);
    this.#beginNext();
  }

  /** Puts the shop behind the others, if it may have one more under way. One that has nothing is forgotten. */
  #queue(shop: Shop): void {
    if (shop.isNext) return;
    if (shop.waiting.length > 0 && shop.underWay < this.#options.ofShop) {
      shop.isNext = true;
      this.#next.push(shop);
    } else if (shop.waiting.length === 0 && shop.underWay === 0) this.#shops.delete(shop.id);
  }

  #beginNext(): void {
    while (this.#underWay < this.#options.inAll) {
      const shop = this.#next.shift();
      if (!shop) return;
      shop.isNext = false;
      const turn = shop.waiting.shift();
      this.#waiting--;
      if (turn && !turn.isAbandoned) {
        shop.underWay += turn.weight;
        this.#underWay++;
        turn.begin();
      }
      this.#queue(shop);
    }
  }
}
