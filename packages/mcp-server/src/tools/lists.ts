import { z } from "zod";

/** A bound of a range of time: RFC 3339. */
export const time = (description: string) => z.iso.datetime({ offset: true }).optional().describe(description);

/** When the customer answered, as far as the shop knows: both bounds are inclusive. */
export const TIME_RANGE = {
  inserted_at_min: time("Only responses from this time on: RFC 3339, such as 2026-11-01T00:00:00Z."),
  inserted_at_max: time("Only responses up to this time: RFC 3339, such as 2026-11-30T23:59:59.999Z."),
};

/** What is given of `values`: the SDK takes no undefined. */
export function given<T extends object>(values: T): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [Name in keyof T]?: Exclude<T[Name], undefined> };
}

/** The first `most` records of a list, and whether others follow. Ask the list for one more, then one page is read. */
export async function firstOf<T>(
  list: AsyncIterable<T>,
  most: number,
): Promise<{ readonly found: readonly T[]; readonly hasMore: boolean }> {
  const found: T[] = [];
  for await (const record of list) {
    if (found.length === most) return { found, hasMore: true };
    found.push(record);
  }
  return { found, hasMore: false };
}
