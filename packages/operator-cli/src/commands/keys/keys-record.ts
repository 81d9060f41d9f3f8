import type { AuditAction } from "@partner-connect/audit";
import type { SigningKey } from "@partner-connect/signing-keys";
import { type Answer, withDatabase } from "../../run/command.ts";
import { type Context, OperatorError, operatorActor } from "../../run/context.ts";
import { explain } from "../../run/explain.ts";
import { namesStack } from "../../run/stack.ts";

export const WITHOUT_AUDIT = ["--without-audit", "go on though the change can't be recorded in the audit log"] as const;

/** Records what becomes of a key. Called before the file is written. */
export type RecordKey = (key: SigningKey) => Promise<void>;

/**
 * Does `work`, a change of the keys file, with its record: in a transaction that commits when the file is written. The keys are in a
 * file so that they need no database. So where none is configured, it goes on and says that nothing was recorded.
 * @throws {OperatorError} AUDIT_UNAVAILABLE: nothing was changed; NOT_RECORDED: the file was
 */
export async function recorded(
  context: Context,
  action: AuditAction,
  { withoutAudit }: { readonly withoutAudit?: boolean },
  work: (record: RecordKey) => Promise<Answer>,
): Promise<Answer> {
  const unrecorded = async (reason: string) => {
    return { ...(await work(async () => {})), note: `note: not recorded in the audit log: ${reason}` };
  };
  if (withoutAudit) return await unrecorded("--without-audit");
  if (!(await namesStack(context.config))) return await unrecorded("no database is configured");
  const progress = { isWritten: false };
  try {
    return await inTransaction(context, action, work, progress);
  } catch (error) {
    throw await told(error, progress);
  }
}

async function inTransaction(
  context: Context,
  action: AuditAction,
  work: (record: RecordKey) => Promise<Answer>,
  progress: { isWritten: boolean },
): Promise<Answer> {
  const [{ recordAudit }, { transaction }] = await Promise.all([
    import("@partner-connect/audit"),
    import("@partner-connect/database"),
  ]);
  return await withDatabase(context, (sql) =>
    transaction(
      sql,
      async (tx) => {
        const answer = await work(async ({ kid, alg }) => {
          await recordAudit(tx, { action, detail: { kid, alg } }, operatorActor(context));
        });
        progress.isWritten = true;
        return answer;
      },
      { repeatable: false },
    ),
  );
}

/** The error as the operator should read it. What the keys file itself refuses stays as it is. */
async function told(error: unknown, { isWritten }: { isWritten: boolean }): Promise<unknown> {
  const { isDatabaseFault } = await import("@partner-connect/database");
  const { name } = error instanceof Error ? error : new Error(String(error));
  if (name !== "PostgresError" && name !== "OperatorError" && !isDatabaseFault(error)) return error;
  const { message, hint } = await explain(error);
  if (isWritten) {
    return new OperatorError(`the keys file was changed, but the audit log may have no record of it: ${message}`, {
      code: "NOT_RECORDED",
    });
  }
  return new OperatorError(`the change can't be recorded in the audit log, so nothing was changed: ${message}`, {
    code: "AUDIT_UNAVAILABLE",
    hint: `${hint === null ? "" : `${hint}; `}--without-audit goes on without a record`,
  });
}
