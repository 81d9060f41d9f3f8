import type { Check } from "../../check.ts";
import { unless } from "../../finding.ts";

/** An index that CONCURRENTLY began and did not end costs every write, and serves no query. */
export const indexes: Check = {
  name: "indexes",
  async look({ sql }) {
    const rows = await (await sql())<{ name: string }[]>`
      SELECT indexrelid::regclass::text AS name FROM pg_index JOIN pg_class c ON c.oid = indexrelid
      WHERE NOT (indisvalid AND indisready) AND c.relnamespace::regnamespace::text IN ('directory', 'oauth', 'survey')
      AND NOT EXISTS (SELECT FROM pg_stat_progress_create_index p WHERE p.index_relid = indexrelid)
      ORDER BY 1`;
    const names = rows.map(({ name }) => name);
    const problems = names.length > 0 ? [`not valid: ${names.join(", ")}`] : [];
    const drops = names.map((name) => `DROP INDEX CONCURRENTLY ${name};`).join(" ");
    return unless(problems, "all valid", `partner-connect migrate makes its own again; one of others: ${drops}`);
  },
};
