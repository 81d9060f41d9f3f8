/**
 * For so long the memory treats walks that it can't tell apart as if each were still under way. An id alone does not say
 * which of two walks asks from it, so both go on from the place that is safe for both, and rows repeat. Then the place
 * that was gone on from gives way to the later one, or they would repeat for ever.
 */
export const SETTLING_MS = 30_000;

/** Who reads asks for the next page within this time: a place older than that was the same for all when memory was lost. */
const RECENT_MS = 3_600_000;

export interface ShownPlace {
  /** The record's `updated_at`, in milliseconds since the epoch. */
  readonly at: number;
  /** When somebody first went on from there, in milliseconds since the epoch; 0 if nobody has. */
  readonly leftAt: number;
}

/** The places of one record as Redis keeps them: `updated_at` → `walk:leftAt` (see remember-page.ts). */
export function readPlaces(kept: Readonly<Record<string, string>>): ShownPlace[] {
  return Object.entries(kept)
    .map(([at, value]) => ({ at: Number(at), leftAt: Number(value.slice(value.indexOf(":") + 1)) }))
    .sort((a, b) => a.at - b.at);
}

/**
 * The place from which nothing is lost, whichever of them the caller means: going up in time the earliest, going down the
 * latest. `isOnly`: no other could be meant. Null where the memory doesn't know, or hasn't known for long enough.
 * @param places in ascending order
 * @param since from when on the memory knows every place that was shown, in milliseconds since the epoch
 */
export function safePlace(
  places: readonly ShownPlace[],
  rises: boolean,
  since: number,
  now: number,
): { readonly at: number; readonly isOnly: boolean } | null {
  const latest = places.at(-1);
  if (!latest) return null;
  // The memory was lost just now: whoever was shown the record before may mean another place.
  if (now - since < SETTLING_MS && latest.at > since - RECENT_MS) return null;
  const alive = places.filter((place) => place === latest || !hasGivenWay(place, now));
  const { at } = (rises ? alive[0] : latest) ?? latest;
  return { at, isOnly: alive.length === 1 };
}

function hasGivenWay({ leftAt }: ShownPlace, now: number): boolean {
  return leftAt > 0 && now - leftAt > SETTLING_MS;
}
