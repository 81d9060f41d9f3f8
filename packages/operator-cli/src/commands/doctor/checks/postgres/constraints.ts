import type { Check } from "../../check.ts";
import { unless } from "../../finding.ts";

export const constraints: Check = {
  name: "constraints",
  async look({ sql }) {
    const rows = await (await sql())<{ name: string }[]>`
      SELECT format('%I on %s', conname, conrelid::regclass) AS name FROM pg_constraint
      WHERE NOT convalidated AND connamespace::regnamespace::text IN ('directory', 'oauth', 'survey') ORDER BY 1`;
    const problems = rows.map(({ name }) => `not validated: ${name}`);
    return unless(
      problems,
      "all validated",
      "partner-connect migrate validates them, or names the one that stored rows break",
    );
  },
};
