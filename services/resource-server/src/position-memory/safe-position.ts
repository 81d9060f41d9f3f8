/**
 * For so long after it was left, a position counts as if the walk that was shown it were still there. An id alone does not say
 * which of two walks asks, so both go on from the position that is safe for both, and records repeat. Afterwards the position
 * gives way to the later one, or the walks would repeat for ever.
 */
export const SETTLING_MS = 30_000;

/**
 * A caller asks for the next page within this time. So a position that is older than that when the memory is lost is the
 * record's only one: no walk that is under way was shown another.
 */
const RECENT_MS = 3_600_000;

/** A position at which a record was shown at the edge of a page. */
export interface ShownPosition {
  /** The record's `updated_at`, in milliseconds since the epoch. */
  readonly at: number;
  /** When somebody first went on from there, in milliseconds since the epoch; 0 if nobody has. */
  readonly leftAt: number;
}

/** The positions of one record as Redis keeps them: `updated_at` → `walk:leftAt` (see remember-page.ts). Ascending. */
export function readPositions(kept: Readonly<Record<string, string>>): ShownPosition[] {
  return Object.entries(kept)
    .map(([at, value]) => ({ at: Number(at), leftAt: Number(value.slice(value.indexOf(":") + 1)) }))
    .sort((a, b) => a.at - b.at);
}

/**
 * The position from which nothing is lost, whichever of them the caller means: the earliest when the walk is ascending in
 * time, the latest when it is descending. `isOnly`: no other could be meant. Null where the memory doesn't know, or hasn't known
 * for long enough.
 * @param positions ascending
 * @param completeSince since when the memory has every position that was shown, in milliseconds since the epoch
 */
export function safePosition(
  positions: readonly ShownPosition[],
  ascending: boolean,
  completeSince: number,
  now: number,
): { readonly at: number; readonly isOnly: boolean } | null {
  const latest = positions.at(-1);
  if (!latest) return null;
  // The memory was lost just now: a caller who was shown the record before may mean another position.
  if (now - completeSince < SETTLING_MS && latest.at > completeSince - RECENT_MS) return null;
  const possible = positions.filter((position) => position === latest || !hasGivenWay(position, now));
  const { at } = (ascending ? possible[0] : latest) ?? latest;
  return { at, isOnly: possible.length === 1 };
}

function hasGivenWay({ leftAt }: ShownPosition, now: number): boolean {
  return leftAt > 0 && now - leftAt > SETTLING_MS;
}
