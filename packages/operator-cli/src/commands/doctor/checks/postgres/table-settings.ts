import type { Check } from "../../check.ts";
import { fine, wrong } from "../../finding.ts";

/** The room that a refresh's update needs on its own page (migration 013). */
const FILLFACTOR = 85;

export const tableSettings: Check = {
  name: "table-settings",
  async look({ sql }) {
    const [row] = await (await sql())<{ fillfactor: number | null; vacuums: boolean }[]>`
      SELECT (SELECT option_value::int FROM pg_options_to_table(reloptions) WHERE option_name = 'fillfactor') AS fillfactor,
        current_setting('autovacuum') = 'on' AND NOT EXISTS (
          SELECT FROM pg_class c, pg_options_to_table(c.reloptions) o
          WHERE c.relnamespace::regnamespace::text IN ('directory', 'oauth', 'survey')
            AND o.option_name = 'autovacuum_enabled' AND NOT o.option_value::bool) AS vacuums
      FROM pg_class WHERE oid = 'oauth.connections'::regclass`;
    if (row?.fillfactor !== FILLFACTOR) {
      return wrong(
        `oauth.connections has fillfactor ${row?.fillfactor ?? 100}, so refreshes touch every index`,
        `ALTER TABLE oauth.connections SET (fillfactor = ${FILLFACTOR});`,
      );
    }
    if (!row.vacuums) return wrong("autovacuum is off", "turn it on, for the server and for each table");
    return fine(`fillfactor ${FILLFACTOR}, autovacuum on`);
  },
};
