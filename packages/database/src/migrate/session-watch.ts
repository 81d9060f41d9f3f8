import { setTimeout as pause } from "node:timers/promises";
import type { Sql } from "../pool/sql.ts";
import { describeHolders, HOLDERS, type Holder, type HolderRow } from "./lock-holders.ts";

/** Milliseconds between two looks, and between two reports of the same. */
const PACE = 100;
const REPORT_PACE = 5000;
/** Every third look also asks for holders on other servers. */
const ELSEWHERE = 3;

/** Finds, on other servers of a cluster, who holds what the backend `pid` waits for. */
export type FindHolders = (sql: Sql, pid: number) => Promise<HolderRow[]>;

export interface SessionWatch {
  /** From now on it looks at the session of this backend, which begins something new. */
  follow(pid: number): void;
  /** Who held the last lock that the session waited for since then. */
  readonly holders: readonly Holder[];
  stop(): Promise<void>;
}

interface BuildRow {
  readonly index: string | null;
  readonly phase: string;
  readonly share: number | null;
}

/** Looks by `sql`, a connection of its own, at what a session waits for, and at the index that it builds; says so by `report`. */
export function watchSession(
  sql: Sql,
  report: (line: string) => void,
  holdersElsewhere: FindHolders = async () => [],
): SessionWatch {
  const end = new AbortController();
  let followed: number | null = null;
  let holders: readonly Holder[] = [];
  let said = { what: "", at: 0 };
  const say = (what: string, line: string) => {
    const now = performance.now();
    if (what === said.what && now - said.at < REPORT_PACE) return;
    said = { what, at: now };
    report(line);
  };
  let looks = 0;
  const findHolders = async (pid: number): Promise<HolderRow[]> => {
    const rows = await sql.unsafe<HolderRow[]>(HOLDERS, [pid]);
    looks += 1;
    return rows.length > 0 || looks % ELSEWHERE > 0 ? rows : await holdersElsewhere(sql, pid);
  };
  const look = async (pid: number) => {
    const rows = await findHolders(pid);
    if (rows.length > 0) {
      holders = rows;
      const [{ table } = { table: null }] = rows;
      say(rows.map((row) => row.pid).join(), `waiting for ${table ?? "a transaction"}: ${describeHolders(rows)}`);
    }
    const [build] = await sql<BuildRow[]>`
      SELECT nullif(index_relid, 0)::regclass::text AS index, phase,
        (CASE WHEN blocks_total > 0 THEN blocks_done * 100 / blocks_total END)::int AS share
      FROM pg_stat_progress_create_index WHERE pid = ${pid}`;
    if (build && rows.length === 0) {
      const share = build.share === null ? "" : `, ${build.share} %`;
      say(`index ${build.phase}`, `index ${build.index ?? ""}: ${build.phase}${share}`);
    }
  };
  const run = async () => {
    for (;;) {
      await pause(PACE, undefined, { signal: end.signal });
      if (followed !== null) await look(followed);
    }
  };
  // What it can't see it doesn't tell: the migration itself meets every fault of the database.
  const done = run().catch(() => {});
  return {
    follow(pid) {
      followed = pid;
      holders = [];
    },
    get holders() {
      return holders;
    },
    async stop() {
      end.abort();
      await done;
    },
  };
}
