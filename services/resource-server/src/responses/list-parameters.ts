import { field, PAGE_LIMIT, pageParameters, text } from "@partner-connect/contract/openapi";
import type { QueryParameters } from "@partner-connect/service-runtime";
import Type, { type Static, type TSchema } from "typebox";
import {
  type Cursor,
  givenOf,
  isPossibleResponseId,
  MOST_PAGE_BYTES,
  type PageParameters,
  readCursor,
  type TimeRange,
  timedCursor,
  timeFilters,
  timeParameter,
  timeRange,
} from "../pagination/page-parameters.ts";

/** Spec, sort allowed values. Ties are broken by id, in the sort's direction. */
export const SORTS = {
  inserted_at_desc: { column: "inserted_at", descending: true },
  inserted_at_asc: { column: "inserted_at", descending: false },
  updated_at_desc: { column: "updated_at", descending: true },
  updated_at_asc: { column: "updated_at", descending: false },
} as const;

export type SortName = keyof typeof SORTS;
export type TimeColumn = (typeof SORTS)[SortName]["column"];

const SORT_NAMES = Object.keys(SORTS) as SortName[];
const DEFAULT_SORT: SortName = "inserted_at_desc";

/**
 * True if the page is read in ascending order. In a descending sort that is the case only with
 * `ending_before`, in an ascending one only without it.
 */
export function readsAscending(sort: SortName, cursor: Cursor | null): boolean {
  return SORTS[sort].descending === (cursor?.side === "before");
}

const AN_ID = "res_018d1e37a8e07a11b2c93c5d7e9f0a1b";
const A_TIME = "2024-01-18T19:27:05.104Z";

/** Spec, legacy parameter names. sort and updated_at_* have none. */
const LEGACY_NAMES: ReadonlyMap<string, string> = new Map([
  ["since", "inserted_at_min"],
  ["until", "inserted_at_max"],
  ["after", "starting_after"],
  ["before", "ending_before"],
]);

const LEGACY: Record<string, TSchema> = Object.fromEntries(
  [...LEGACY_NAMES].map(([legacy, canonical]) => {
    const description = `The older name of \`${canonical}\`, which is used if both are sent.`;
    const schema = canonical.startsWith("inserted_at")
      ? timeParameter(description, A_TIME)
      : Type.Optional(text(description, AN_ID));
    return [legacy, Object.assign(schema, { deprecated: true })];
  }),
);

const CURRENT = Type.Object({
  ...pageParameters(AN_ID),
  cursor_time: timeParameter(
    "With a cursor: the sort time (`inserted_at` or `updated_at`) of its record, as you received it. The page then continues " +
      "from exactly that position, even if the record has since changed; without it, records may repeat or be missed.",
    A_TIME,
  ),
  ...timeFilters("inserted_at", A_TIME),
  ...timeFilters("updated_at", A_TIME),
  sort: Type.Optional(
    field(
      Type.Enum(SORT_NAMES, {
        default: DEFAULT_SORT,
        description:
          "The order, newest or oldest first by insertion or last change; ties are broken by id.",
        examples: ["updated_at_asc"],
      }),
      `one of ${SORT_NAMES.join(", ")}`,
    ),
  ),
});

type Sent = Static<typeof CURRENT> &
  Partial<Readonly<Record<"since" | "until" | "after" | "before", string>>>;

/** The schema of the query that {@link withoutOverriddenNames} returns. */
export const ListQuery = Type.Unsafe<Sent>(
  Type.Object({ ...CURRENT.properties, ...LEGACY } as typeof CURRENT.properties),
);

/**
 * Drops legacy names whose canonical name was sent too. Other legacy names stay, so that errors
 * name what was sent.
 */
export function withoutOverriddenNames(parameters: QueryParameters): QueryParameters {
  const isOverridden = (name: string) => {
    const canonical = LEGACY_NAMES.get(name);
    return canonical !== undefined && parameters.has(canonical);
  };
  return new Map([...parameters].filter(([name]) => !isOverridden(name)));
}

/** Bytes; the limit of the constraint responses_doc_size. */
const LONGEST_RECORD = 144 * 1024;

export type TimeRanges = Readonly<Record<TimeColumn, TimeRange>>;

export interface ListParameters extends PageParameters {
  readonly sort: SortName;
  readonly ranges: TimeRanges;
}

/** Checks rules between parameters. `readCursor` reads `after`, `before`. @throws {ApiError} 400 */
export function readListParameters({
  since,
  until,
  ...sent
}: Static<typeof ListQuery>): ListParameters {
  const query = {
    ...(since && { inserted_at_min: since }),
    ...(until && { inserted_at_max: until }),
    ...sent,
  };
  const { limit = PAGE_LIMIT.fallback, sort = DEFAULT_SORT } = query;
  const cursor = readCursor(query, isPossibleResponseId);
  return {
    limit,
    sort,
    cursor: timedCursor(cursor, query.cursor_time, readsAscending(sort, cursor)),
    ranges: {
      inserted_at: timeRange(query.inserted_at_min, query.inserted_at_max),
      updated_at: timeRange(query.updated_at_min, query.updated_at_max),
    },
    given: givenOf(
      query,
      "limit",
      "sort",
      "inserted_at_min",
      "inserted_at_max",
      "updated_at_min",
      "updated_at_max",
    ),
    // Counting bytes costs Postgres 0.3 µs per record, so pages that can't reach the limit skip it.
    ...((limit + 1) * LONGEST_RECORD >= MOST_PAGE_BYTES && { mostBytes: MOST_PAGE_BYTES }),
    sortTime: SORTS[sort].column,
  };
}
