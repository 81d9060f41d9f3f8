import { open, stat } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { Sql } from "@partner-connect/database";

/** A statement of the list as a service sent it, from the log of Postgres. */
export interface LoggedStatement {
  readonly text: string;
  readonly parameters: readonly string[];
  /** Of binding (the first time with planning) and execution, as Postgres logged it. */
  readonly ms: number;
}

const RECORD = /^\d{4}-\d\d-\d\d [\d:.]+ \S+ \[(\d+)\] (\w+): {2}(.*)$/;

/**
 * Lets Postgres log every statement with its time while `work` runs, and returns those that read responses, in their
 * order. The service runs unchanged.
 */
export async function loggedStatements(
  sql: Sql,
  file: string,
  work: () => Promise<void>,
): Promise<readonly LoggedStatement[]> {
  const { size } = await stat(file);
  await logAll(sql, true);
  try {
    await work();
  } finally {
    await logAll(sql, false);
  }
  return parse(await readFrom(file, size));
}

async function logAll(sql: Sql, on: boolean): Promise<void> {
  await sql.unsafe(`ALTER SYSTEM ${on ? "SET log_min_duration_statement = 0" : "RESET log_min_duration_statement"}`);
  await sql`SELECT pg_reload_conf()`;
  await sleep(200); // every session reads it before its next statement
}

async function readFrom(path: string, position: number): Promise<string> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const { buffer } = await file.read({ buffer: Buffer.alloc(size - position), position });
    return buffer.toString();
  } finally {
    await file.close();
  }
}

function parse(log: string): LoggedStatement[] {
  const statements: LoggedStatement[] = [];
  const bound = new Map<string, number>();
  let unnamed: { text: string; ms: number } | null = null;
  for (const [, pid = "", kind, message = ""] of records(log)) {
    const timed = /^duration: ([\d.]+) ms {2}(parse|bind|execute) [^:]*: (.*)$/s.exec(message);
    if (kind === "LOG" && timed) {
      const [, ms, phase, text = ""] = timed;
      if (phase === "execute") {
        unnamed = { text, ms: Number(ms) + (bound.get(pid) ?? 0) };
      } else if (phase === "bind") bound.set(pid, Number(ms));
    } else if (kind === "DETAIL" && unnamed && /FROM survey\.responses/.test(unnamed.text)) {
      statements.push({ ...unnamed, parameters: parametersOf(message) });
      unnamed = null;
    }
  }
  return statements;
}

/** A line that begins with a tab belongs to the line before. */
function records(log: string): (RegExpExecArray | never[])[] {
  const whole = log.replaceAll("\n\t", "\u0000");
  return whole.split("\n").map((line) => {
    const match = RECORD.exec(line);
    if (!match) return [];
    match[3] = (match[3] ?? "").replaceAll("\u0000", "\n");
    return match;
  });
}

/** `Parameters: $1 = 'shop_1', $2 = '51'` */
function parametersOf(detail: string): string[] {
  return [...detail.matchAll(/\$\d+ = '((?:[^']|'')*)'/g)].map(([, value = ""]) => value.replaceAll("''", "'"));
}
