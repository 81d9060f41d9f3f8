import type { Check } from "../../check.ts";
import { unless } from "../../finding.ts";

const LEAST = 18;

export const postgresServer: Check = {
  name: "postgres",
  async look({ sql }) {
    const [row] = await (await sql())<{ number: number; version: string; standby: boolean; readonly: string }[]>`
      SELECT current_setting('server_version_num')::int / 10000 AS number, current_setting('server_version') AS version,
        pg_is_in_recovery() AS standby, current_setting('default_transaction_read_only') AS readonly`;
    if (!row) throw new Error("Postgres returned no row");
    const problems = [
      ...(row.number < LEAST ? [`Postgres ${row.version} is older than ${LEAST}`] : []),
      ...(row.standby ? ["DATABASE_URL leads to a standby"] : []),
      ...(row.readonly === "on" ? ["default_transaction_read_only is on"] : []),
    ];
    const remedy = `Postgres ${LEAST} or newer, and its primary: with several hosts in DATABASE_URL, target_session_attrs=read-write`;
    return unless(problems, `Postgres ${row.version}, the primary`, remedy);
  },
};
