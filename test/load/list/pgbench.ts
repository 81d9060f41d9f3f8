import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { derivedRolePassword, roleUrl } from "@partner-connect/database";
import type { LoggedStatement } from "./statement-log.ts";

export interface PgbenchOptions {
  /** As the resource server's role. */
  readonly url: string;
  readonly clients: number;
  readonly seconds: number;
  readonly scripts: readonly PgbenchScript[];
}

export interface PgbenchScript {
  /** In pgbench's form: `:name` is a variable. */
  readonly text: string;
  /** How often it runs, against the others. */
  readonly weight?: number;
  /** `name=value` of variables. */
  readonly variables?: readonly string[];
}

/** The database's URL as the resource server's role has it. */
export function serviceUrl(databaseUrl: string): string {
  const password = derivedRolePassword(new URL(databaseUrl).password, "resource_server");
  return roleUrl(databaseUrl, "resource_server", password);
}

/** The statement as a script that draws a number in place of the parameter `cursor` for each execution. */
export function pageScript(
  { text, parameters }: Pick<LoggedStatement, "text" | "parameters">,
  { cursor, first, last }: { readonly cursor: string; readonly first: number; readonly last: number },
): PgbenchScript {
  const isCursor = (place: number): boolean => parameters[place - 1] === cursor;
  const statement = withoutColons(text).replace(/\$(\d+)/g, (_, place) =>
    isCursor(Number(place)) ? ":cursor" : `:p${place}`,
  );
  return {
    text: `\\set cursor random(${first}, ${last})\n${statement};\n`,
    variables: parameters.map((value, index) => `p${index + 1}=${value}`),
  };
}

/** Transactions a second of pgbench, prepared, with the settings of the service's role. */
export async function pgbench({ url, clients, seconds, scripts }: PgbenchOptions): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), "partner-connect-pgbench-"));
  try {
    const files = scripts.map(({ weight = 1 }, index) => `${join(folder, `${index}.sql`)}@${weight}`);
    for (const [index, { text }] of scripts.entries()) await writeFile(join(folder, `${index}.sql`), text);
    const { stdout } = await promisify(execFile)("pgbench", [
      ...["--no-vacuum", "--protocol=prepared", "--jobs=1", `--client=${clients}`, `--time=${seconds}`],
      ...scripts.flatMap(({ variables = [] }) => variables.flatMap((variable) => ["-D", variable])),
      ...[...files.flatMap((file) => ["--file", file]), url],
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
