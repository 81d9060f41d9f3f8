import type { Check } from "../../check.ts";
import { unless } from "../../finding.ts";
import { told } from "../../replica-answer.ts";

/** Connections to Postgres of one replica, at most. */
const OF_AUTHORIZATION_SERVER = 3;
const OF_RESOURCE_SERVER = 6;
/** For the operator's command line, backups and people. */
const SPARE = 10;

export const connectionLimit: Check = {
  name: "postgres-connections",
  async look({ sql, answers }) {
    const [row] = await (await sql())<{ most: number; others: number }[]>`
      SELECT current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
          - current_setting('reserved_connections')::int AS most,
        (SELECT count(*)::int FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()
          AND usename NOT IN ('authorization_server', 'resource_server')) AS others`;
    if (!row) throw new Error("Postgres returned no row");
    const replicas = told(await answers("/keys")).map(({ text }) =>
      text.includes('"published"') ? OF_AUTHORIZATION_SERVER : OF_RESOURCE_SERVER,
    );
    const needed = replicas.reduce((sum: number, one) => sum + one, 0);
    const found = `${row.most} allowed; ${replicas.length} replicas may take ${needed}, others have ${row.others}`;
    const problems = needed + row.others + SPARE > row.most ? [found] : [];
    return unless(problems, found, "raise max_connections, or put PgBouncer between (pool_mode=session)");
  },
};
