import type { Check } from "../../check.ts";
import { fine, wrong } from "../../finding.ts";

export const migrations: Check = {
  name: "migrations",
  async look({ sql }) {
    const { schemaState } = await import("@partner-connect/database");
    const { applied, pending, unknown } = await schemaState(await sql());
    if (unknown.length > 0) {
      return wrong(
        `the database has migrations that this release doesn't know: ${unknown.join(", ")}`,
        "use the command line and the services of the release that applied them",
      );
    }
    if (pending.length === 0) return fine(`all ${applied} applied`);
    return wrong(`not applied: ${pending.join(", ")}`, "partner-connect migrate");
  },
};
