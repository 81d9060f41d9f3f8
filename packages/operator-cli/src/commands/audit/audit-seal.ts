import type { AuditKeys, SealedLog } from "@partner-connect/audit";
import { answer, withDatabase } from "../../run/command.ts";
import { type Context, OperatorError } from "../../run/context.ts";
import { countOf } from "../../terminal/progress.ts";

export function auditSeal(context: Context) {
  return answer(context, async () => {
    const keys = auditKeys(context);
    const { sealLogs } = await import("@partner-connect/audit");
    const { askNodes } = await import("@partner-connect/citus");
    const sealed = await withDatabase(context, (sql) => sealLogs(sql, keys, (query) => askNodes(sql, query)), {
      statementTimeout: 0,
    });
    return { json: { sealed: sealed.map(sealedJson) }, text: sealed.map(sealedText).join("\n") };
  });
}

/** @throws {OperatorError} NO_AUDIT_KEYS: one is missing, or too short to be guessed by nobody */
export function auditKeys({ config: { auditSealKeys, auditNamesKey } }: Context): AuditKeys {
  const [first, ...former] = auditSealKeys;
  for (const [name, keys] of [
    ["AUDIT_SEAL_KEY", auditSealKeys],
    ["AUDIT_NAMES_KEY", auditNamesKey === undefined ? [] : [auditNamesKey]],
  ] as const) {
    const problem =
      keys.length === 0 ? "is not set" : keys.some((key) => key.length < 32) && "is shorter than 32 characters";
    if (problem) {
      throw new OperatorError(`${name} ${problem}`, {
        code: "NO_AUDIT_KEYS",
        hint: "'openssl rand -hex 32' makes one; keep it where the database's owner can't read it",
      });
    }
  }
  return { seal: [first ?? "", ...former], names: auditNamesKey ?? "" };
}

function sealedJson({ log, seals, records, until, last }: SealedLog) {
  return { log, seals, records, until: until.toISOString(), last_seal: last };
}

function sealedText({ log, seals, records, until, last }: SealedLog): string {
  return `${log}.audit_log: ${countOf(seals, "new seal")} of ${countOf(records, "record")}, until ${until.toISOString()}. The last seal is ${last}`;
}
