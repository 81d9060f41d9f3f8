import type { Check } from "../../check.ts";
import { unless } from "../../finding.ts";

/** Without these an acknowledged write may be lost, or the database, when the machine stops. */
const ON = ["fsync", "full_page_writes", "synchronous_commit"] as const;

export const durability: Check = {
  name: "postgres-durability",
  async look({ sql }) {
    const rows = await (await sql())<{ name: string; setting: string }[]>`
      SELECT name, setting FROM pg_settings WHERE name IN ${(await sql())(ON)} ORDER BY 1`;
    const off = rows.filter(({ setting }) => setting === "off").map(({ name }) => `${name} is off`);
    const found = rows.map(({ name, setting }) => `${name} ${setting}`).join(", ");
    return unless(off, found, "set them to on in postgresql.conf, and reload Postgres");
  },
};
