import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { seededRandom } from "../harness/faults/random-faults.ts";
import type { BenchStack } from "./bench-stack.ts";
import { SHOP, SORTS } from "./data-set.ts";
import { median } from "./table.ts";

const FILTERS = ["inserted_at_min", "inserted_at_max", "updated_at_min", "updated_at_max"] as const;
const CURSORS = [null, "starting_after", "ending_before"] as const;
const REPEATS = 3;
const HOUR = 3_600_000;

/**
 * Every sort × subset of the filters × cursor, each with `draws` random windows and cursors: narrow
 * and wide, old and new, around the instant of the bulk update, and empty. The times are those of
 * the service's own statements in the log of Postgres.
 * @returns for each the median of some runs, in milliseconds
 */
export async function everyCombination(
  stack: BenchStack,
  draws: number,
  get: (path: string) => Promise<unknown>,
): Promise<readonly number[]> {
  const { ids, times } = await drawFrom(stack);
  const random = seededRandom(42);
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
  /** A window of an instant, hours, a month or longer, or one around everything, or reversed. */
  const window = (): { readonly min: string; readonly max: string } => {
    const from = pick(times);
    const to =
      from + pick([0, HOUR, 24 * HOUR, 30 * 24 * HOUR, 400 * 24 * HOUR, -HOUR, pick(times) - from]);
    const [min, max] = random() < 0.05 ? [0, Date.parse("2026-06-01")] : [from, to];
    return { min: new Date(min).toISOString(), max: new Date(max).toISOString() };
  };
  const shapes = SORTS.flatMap((sort) =>
    CURSORS.flatMap((cursor) => [...Array(16).keys()].map((subset) => ({ sort, cursor, subset }))),
  );
  const queries = shapes.flatMap(({ sort, cursor, subset }) =>
    Array.from({ length: draws }, () => {
      const query = new URLSearchParams({ limit: "50", sort });
      const windows = { inserted_at: window(), updated_at: window() };
      for (const [index, name] of FILTERS.entries()) {
        const column = name.startsWith("inserted") ? windows.inserted_at : windows.updated_at;
        if (subset & (1 << index)) query.set(name, name.endsWith("min") ? column.min : column.max);
      }
      if (cursor) query.set(cursor, pick(ids));
      return query.toString();
    }),
  );
  // Each session plans a statement when it runs it for the first time; the median leaves that out.
  const runs = await statementTimes(stack, async () => {
    for (const query of queries)
      for (let run = 0; run < REPEATS; run++) await get(`/api/responses?${query}`);
  });
  if (runs.length !== queries.length * REPEATS) {
    throw new Error(
      `${runs.length} statements in the log for ${queries.length * REPEATS} requests`,
    );
  }
  return queries.map((_, index) => median(runs.slice(index * REPEATS, (index + 1) * REPEATS)));
}

/** Ids of every age by either time, some of the bulk update, and the times of responses. */
async function drawFrom({ sql }: BenchStack) {
  type Row = { id: string; inserted_at: Date; updated_at: Date };
  // The sample comes in the order of the disk, oldest first: a limit would take the oldest of it.
  const rows = await sql<Row[]>`
    SELECT id, inserted_at, updated_at
    FROM survey.responses TABLESAMPLE SYSTEM (1) REPEATABLE (7) WHERE shop_id = ${SHOP} ORDER BY md5(id) LIMIT 2000`;
  const bulk = await sql<Row[]>`
    SELECT id, inserted_at, updated_at FROM survey.responses
    WHERE shop_id = ${SHOP} AND updated_at = (
      SELECT updated_at FROM survey.responses WHERE shop_id = ${SHOP} AND updated_at > inserted_at
      GROUP BY updated_at ORDER BY count(*) DESC LIMIT 1)
    LIMIT 300`;
  const all = [...rows, ...bulk];
  return {
    ids: all.map(({ id }) => id),
    times: all.flatMap((row) => [Number(row.inserted_at), Number(row.updated_at)]),
  };
}

/** Milliseconds of bind and execute of each statement of `work` that read responses, in order. */
async function statementTimes({ sql, postgresLog }: BenchStack, work: () => Promise<void>) {
  const logAll = async (setting: string): Promise<void> => {
    await sql.unsafe(`ALTER SYSTEM ${setting}`);
    await sql`SELECT pg_reload_conf()`;
    await sleep(300); // every session reads it before its next statement
  };
  const before = (await readFile(postgresLog)).length;
  await logAll("SET log_min_duration_statement = 0");
  await work().finally(() => logAll("RESET log_min_duration_statement"));
  const log = (await readFile(postgresLog)).subarray(before).toString();
  const statement = /duration: ([\d.]+) ms {2}(bind|execute) [^:]*: ([^\n]*(?:\n\t[^\n]*)*)/g;
  const times: number[] = [];
  let bind = 0;
  for (const [, ms, phase, text = ""] of log.matchAll(statement)) {
    if (!text.includes("FROM survey.responses")) continue;
    if (phase === "execute") times.push(bind + Number(ms));
    bind = phase === "bind" ? Number(ms) : 0;
  }
  return times;
}
