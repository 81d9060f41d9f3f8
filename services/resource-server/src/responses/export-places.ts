import type { ServerResponse } from "node:http";
import { rateLimited, unavailable } from "../errors/api-error.ts";

/** Exports of one process at a time, and of one shop, whoever asks: each holds two pages and keeps Postgres busy. */
const MOST = 8;
const MOST_OF_SHOP = 2;

/** Seconds. A shop's own exports are its own to end; those of others take their time. */
const RETRY_AFTER_OWN = "5";
const RETRY_AFTER_OTHERS = "30";

/** The exports that are under way. Whoever takes nothing of one is cut off, so every place comes free again. */
export class ExportPlaces {
  readonly #taken = new Set<ExportPlace>();

  /** @throws {ApiError} 429 when the shop has two under way, 503 when all places are other shops' */
  enter(shopId: string): ExportPlace {
    const own = [...this.#taken].filter((place) => place.shopId === shopId);
    if (own.length >= MOST_OF_SHOP) throw rateLimited({ "retry-after": RETRY_AFTER_OWN });
    if (this.#taken.size >= MOST) throw unavailable(RETRY_AFTER_OTHERS);
    const place = new ExportPlace(shopId, () => this.#taken.delete(place));
    this.#taken.add(place);
    return place;
  }
}

export class ExportPlace {
  readonly shopId: string;
  readonly leave: () => void;

  constructor(shopId: string, leave: () => void) {
    this.shopId = shopId;
    this.leave = leave;
  }

  leaveWith(response: ServerResponse): void {
    if (response.destroyed) this.leave();
    else response.once("close", this.leave);
  }
}
