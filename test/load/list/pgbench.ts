import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { LoggedStatement } from "./statement-log.ts";

export interface PgbenchOptions {
  /** As the resource server's role. */
  readonly url: string;
  readonly clients: number;
  readonly seconds: number;
  /** The statement, the parameter that changes from page to page, and the numbers that it is drawn from. */
  readonly statement: Pick<LoggedStatement, "text" | "parameters">;
  readonly cursor: string;
  readonly cursors: { readonly first: number; readonly last: number };
}

/**
 * Pages a second of pgbench, prepared, with the settings of the service's role. Every client prepares the
 * one statement once; each execution draws a cursor.
 */
export async function pgbench({ statement, ...options }: PgbenchOptions): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), "partner-connect-pgbench-"));
  try {
    const { first, last } = options.cursors;
    const names = statement.parameters.map((value, index) => (value === options.cursor ? "cursor" : `p${index + 1}`));
    const text = withoutColons(statement.text).replace(/\$(\d+)/g, (_, place) => `:${names[Number(place) - 1]}`);
    await writeFile(join(folder, "page.sql"), `\\set cursor random(${first}, ${last})\n${text};\n`);
    const fixed = statement.parameters.flatMap((value, index) => ["-D", `p${index + 1}=${value}`]);
    const { stdout } = await promisify(execFile)("pgbench", [
      ...["--no-vacuum", "--protocol=prepared", "--jobs=1", `--client=${options.clients}`, `--time=${options.seconds}`],
      ...["--file", join(folder, "page.sql"), ...fixed, options.url],
    ]);
    const perSecond = /tps = ([\d.]+) \(without initial connection time\)/.exec(stdout)?.[1];
    if (!perSecond || !/number of failed transactions: 0 /.test(stdout)) throw new Error(`pgbench: ${stdout}`);
    return Number(perSecond);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** pgbench takes a colon in a literal for the start of a variable. This is the same literal without a colon. */
function withoutColons(text: string): string {
  return text.replace(/'[^']*'/g, (literal) =>
    literal.includes(":") ? `E${literal.replaceAll(":", "\\x3a")}` : literal,
  );
}
