import { isDatabaseFault } from "../pool/database-fault.ts";
import type { MigrationSession } from "./locked-session.ts";
import { describeHolders } from "./session-watch.ts";
import { isHeldUp } from "./short-locks.ts";

/** A migration was not applied. Earlier ones were, and the next call begins with this one. */
class MigrationError extends Error {
  readonly code: "MIGRATION_LOCKED" | "MIGRATION_FAILED";
  readonly hint: string;

  constructor(
    message: string,
    code: MigrationError["code"],
    options: { readonly hint: string; readonly cause: unknown },
  ) {
    super(message, { cause: options.cause });
    this.name = "MigrationError";
    this.code = code;
    this.hint = options.hint;
  }
}

/** Another version has migrated the database: it has an unknown migration, or a different one of the same name. */
export class SchemaHistoryError extends Error {
  override readonly name = "SchemaHistoryError";
  readonly code = "SCHEMA_HISTORY";
  readonly hint: string;

  constructor(database: string, foreign: string) {
    super(`the database ${database} was migrated by another version: ${foreign}`);
    this.hint = `use that version, or start afresh: DROP DATABASE ${database}`;
  }
}

interface Failed {
  readonly title: string;
  /** Some of its steps are committed. */
  readonly isPartial: boolean;
  readonly session: MigrationSession;
}

/** @throws {MigrationError} if a migration got no lock in time, or a statement was refused; otherwise `error` */
export function explainFailure(error: unknown, { title, isPartial, session }: Failed): never {
  const state = isPartial ? "is not complete" : "changed nothing";
  if (isHeldUp(error)) {
    const { holders } = session.watch;
    const by = holders.length > 0 ? `, ${describeHolders(holders)}` : "";
    const seconds = Math.round(session.patience / 1000);
    const pid = holders.find((holder) => holder.pid > 0)?.pid;
    const end = pid === undefined ? "" : `, or end it by 'SELECT pg_terminate_backend(${pid})'`;
    throw new MigrationError(
      `migration ${title} ${state}: it got no lock within ${seconds} s${by}`,
      "MIGRATION_LOCKED",
      {
        hint: `run it again when that has ended${end}`,
        cause: error,
      },
    );
  }
  const { code, message } = error as { readonly code?: string; readonly message: string };
  if (isDatabaseFault(error) || code === undefined || code === "42501" || !/^[0-9A-Z]{5}$/.test(code)) throw error;
  throw new MigrationError(`migration ${title} ${state}: ${message} (${code})`, "MIGRATION_FAILED", {
    hint: "those before it are applied; the next run begins with it",
    cause: error,
  });
}
