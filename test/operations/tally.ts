import { type Call, countLost, type Place, type ShopLoad } from "../harness/actors/shop-load.ts";

export interface Tally {
  readonly requests: number;
  /** Neither the expected response nor a 503. */
  readonly failed: number;
  readonly lost: number;
  readonly wrong: number;
}

export async function tallyOf(place: Place, load: ShopLoad): Promise<Tally> {
  const failed = load.calls.filter((call) => !isServed(call) && !isFault(call)).length;
  return {
    requests: load.calls.length,
    failed,
    lost: await countLost(place, load),
    wrong: load.wrong,
  };
}

export function isServed({ outcome }: Call): boolean {
  return outcome === "200" || outcome === "201";
}

export function isFault({ outcome }: Call): boolean {
  return outcome === "503";
}

export function callsSince(
  { calls }: ShopLoad,
  since: number,
  isOf: (shop: string) => boolean = () => true,
): Call[] {
  return calls.filter(({ at, shop }) => at > since && isOf(shop));
}

/** Prints the result of a drill. Its assertions decide whether it passes. */
export function report(drill: string, found: object): void {
  console.info(`${drill}:`, found);
}
