import type { Check } from "../../check.ts";
import { unless } from "../../finding.ts";

/** What each session of a service's role has: the planner's settings, and limits of time. Through a pooler there is no other way. */
export const roleSettings: Check = {
  name: "role-settings",
  async look({ sql }) {
    const { missingRoleSettings } = await import("@partner-connect/database");
    const missing = await missingRoleSettings(await sql());
    const problems = missing.length > 0 ? [`not as it should be: ${missing.map(settingOf).join(", ")}`] : [];
    return unless(problems, "all set", `partner-connect migrate, then restart the services; or: ${missing.join("; ")}`);
  },
};

/** Of `ALTER ROLE role SET setting TO value`, perhaps in one database. */
function settingOf(statement: string): string {
  const [, role, setting] = /^ALTER ROLE (\S+) .*?SET (\S+) TO /.exec(statement) ?? [];
  return `${setting} of ${role}`;
}
