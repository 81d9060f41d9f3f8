import { median } from "../table.ts";
import type { BenchStack } from "./bench-stack.ts";
import { client } from "./client.ts";
import { loggedStatements } from "./statement-log.ts";
import { PAGE } from "./throughput.ts";

const SORTS = ["inserted_at_desc", "inserted_at_asc", "updated_at_desc", "updated_at_asc"] as const;
const FILTERS = ["inserted_at_min", "inserted_at_max", "updated_at_min", "updated_at_max"] as const;
const CURSORS = [null, "starting_after", "ending_before"] as const;
const REPEATS = 3;

export interface Combination {
  readonly query: string;
  /** How long Postgres took, the median of some runs. */
  readonly ms: number;
}

export interface Combinations {
  readonly shapes: number;
  readonly requests: number;
  /** All combinations, the slowest first. */
  readonly slowest: readonly Combination[];
}

/**
 * Every sort × subset of the filters × cursor, each with `draws` random windows and cursors: narrow and wide, old and new,
 * around the instant of the bulk update, empty ones too. The times are those of the service's own statements in the log of
 * Postgres.
 */
export async function everyCombination(
  stack: Pick<BenchStack, "sql" | "shopId" | "apiUrl" | "accessToken" | "postgresLog">,
  draws: number,
): Promise<Combinations> {
  const pool = await drawFrom(stack);
  const random = seeded(42);
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
  const queries: string[] = [];
  let shapes = 0;
  for (const sort of SORTS) {
    for (let subset = 0; subset < 16; subset++) {
      for (const cursor of CURSORS) {
        shapes++;
        for (let draw = 0; draw < draws; draw++) {
          const query = new URLSearchParams({ limit: String(PAGE), sort });
          const windows = { inserted_at: window(pool, pick, random), updated_at: window(pool, pick, random) };
          for (const [index, name] of FILTERS.entries()) {
            const column = name.startsWith("inserted") ? windows.inserted_at : windows.updated_at;
            if (subset & (1 << index)) query.set(name, name.endsWith("min") ? column.min : column.max);
          }
          if (cursor) query.set(cursor, pick(pool.ids));
          queries.push(query.toString());
        }
      }
    }
  }
  const asker = client(stack.apiUrl, `Bearer ${stack.accessToken}`);
  // Each session plans a statement when it gets it for the first time. The time after that counts.
  const statements = await loggedStatements(stack.sql, stack.postgresLog, async () => {
    for (const query of queries) for (let i = 0; i < REPEATS; i++) await asker.get(`/api/responses?${query}`);
  });
  asker.close();
  if (statements.length !== queries.length * REPEATS) {
    throw new Error(`${statements.length} statements in the log for ${queries.length * REPEATS} requests`);
  }
  const measured = queries.map((query, index) => {
    const runs = statements.slice(index * REPEATS, (index + 1) * REPEATS);
    return { query, ms: median(runs.map(({ ms }) => ms)) };
  });
  return { shapes, requests: queries.length, slowest: measured.toSorted((a, b) => b.ms - a.ms) };
}

interface Pool {
  /** Ids of every age by either time, some of them from the bulk update. */
  readonly ids: readonly string[];
  /** Times of responses, ascending, with that of the bulk update. */
  readonly times: readonly number[];
}

async function drawFrom({ sql, shopId }: Pick<BenchStack, "sql" | "shopId">): Promise<Pool> {
  // The sample comes in the order of the disk, oldest first: a limit alone would take the oldest of it.
  const rows = await sql<{ id: string; inserted_at: Date; updated_at: Date }[]>`
    SELECT id, inserted_at, updated_at
    FROM survey.responses TABLESAMPLE SYSTEM (1) REPEATABLE (7) WHERE shop_id = ${shopId} ORDER BY md5(id) LIMIT 2000`;
  const bulk = await sql<{ id: string; updated_at: Date }[]>`
    SELECT id, updated_at FROM survey.responses
    WHERE shop_id = ${shopId} AND updated_at = (
      SELECT updated_at FROM survey.responses WHERE shop_id = ${shopId} AND updated_at > inserted_at
      GROUP BY updated_at ORDER BY count(*) DESC LIMIT 1)
    LIMIT 300`;
  const all = [...rows, ...bulk];
  const times = [...rows.map((row) => row.inserted_at), ...all.map((row) => row.updated_at)].map(Number);
  return { ids: all.map(({ id }) => id), times: times.sort((a, b) => a - b) };
}

/** A window: one instant, hours, a month, or longer; sometimes before or after all responses, or with its end before its start. */
function window(
  { times }: Pool,
  pick: <T>(values: readonly T[]) => T,
  random: () => number,
): { readonly min: string; readonly max: string } {
  const hour = 3_600_000;
  const from = pick(times);
  const to = from + pick([0, hour, 24 * hour, 30 * 24 * hour, 400 * 24 * hour, -hour, pick(times) - from]);
  const [min, max] = random() < 0.05 ? [0, Date.parse("2026-06-01")] : [from, to];
  return { min: new Date(min).toISOString(), max: new Date(max).toISOString() };
}

/** Random numbers in [0, 1), the same in every run (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}
