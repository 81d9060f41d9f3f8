import type { ServerResponse } from "node:http";
import { rateLimited, unavailable } from "../../errors/api-error.ts";

/** Exports that one process sends at a time, and how many of them may be one shop's: each holds two pages and keeps Postgres busy. */
const MAX_EXPORTS = 8;
const MAX_OF_SHOP = 2;

/** Seconds. A shop can end its own exports at once; those of other shops take their time. */
const RETRY_AFTER_OWN = "5";
const RETRY_AFTER_OTHERS = "30";

/** The exports that are under way. A caller that takes nothing of its export is cut off, so every place becomes free again. */
export class ExportPlaces {
  readonly #taken = new Set<ExportPlace>();

  get taken(): number {
    return this.#taken.size;
  }

  /** @throws {ApiError} 429 when the shop has two exports under way, 503 when all places are taken */
  enter(shopId: string): ExportPlace {
    const own = [...this.#taken].filter((place) => place.shopId === shopId);
    if (own.length >= MAX_OF_SHOP) throw rateLimited("exports", { "retry-after": RETRY_AFTER_OWN });
    if (this.#taken.size >= MAX_EXPORTS) throw unavailable("too_many_exports", RETRY_AFTER_OTHERS);
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
