import { type Call, countLost, type Place, type ShopLoad } from "../harness/actors/shop-load.ts";

/** What a load came to. */
export interface Tally {
  readonly requests: number;
  /** Answered neither as asked nor by a 503. */
  readonly failed: number;
  readonly lost: number;
  readonly wrong: number;
}

export async function tallyOf(place: Place, load: ShopLoad): Promise<Tally> {
  const failed = load.calls.filter((call) => !isServed(call) && !isFault(call)).length;
  return { requests: load.calls.length, failed, lost: await countLost(place, load), wrong: load.wrong };
}

export function isServed({ outcome }: Call): boolean {
  return outcome === "200" || outcome === "201";
}

export function isFault({ outcome }: Call): boolean {
  return outcome === "503";
}

/** Those that began after `since`; with `shops`, of these alone. */
export function callsSince({ calls }: ShopLoad, since: number, isOf: (shop: string) => boolean = () => true): Call[] {
  return calls.filter(({ at, shop }) => at > since && isOf(shop));
}

export function slowest(calls: readonly Call[]): number {
  return Math.round(Math.max(0, ...calls.map(({ took }) => took)));
}
