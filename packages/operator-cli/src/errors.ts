import type { CommanderError } from "@commander-js/extra-typings";

/** A refusal of a command. The message is one line; `code` is stable, for scripts. */
export class OperatorError extends Error {
  readonly code: string;
  readonly hint: string | undefined;

  constructor(
    message: string,
    { code = "OPERATOR_ERROR", hint }: { code?: string; hint?: string | undefined } = {},
  ) {
    super(message);
    this.name = "OperatorError";
    this.code = code;
    this.hint = hint;
  }
}

/** Thrown after the printed answer if it is a failure: exit code 1 without a further message. */
export class FailedAnswer extends Error {
  override readonly name = "FailedAnswer";
}

/** A wrong command line: exit code 2. */
export class UsageError extends OperatorError {
  constructor(message: string, hint?: string) {
    super(message, { code: "USAGE", hint });
  }
}

export function cancelledError(): OperatorError {
  return new OperatorError("cancelled; nothing was changed", { code: "CANCELLED" });
}

/** Why a command was refused or failed. With --json it is printed as a document. */
export interface Failure {
  /** Stable, for scripts: the error's code, such as UNKNOWN_SHOP. */
  readonly error: string;
  /** One line without secrets: no connection URL and no statement. */
  readonly message: string;
  /** The suggested remedy, unless the message contains it. */
  readonly hint: string | null;
}

/** Names of the errors whose messages are written for operators. */
const CLEAR = new Set([
  "ConfigurationError",
  "DatabaseUrlError",
  "DirectoryError",
  "DistributionError",
  "FieldError",
  "ImportError",
  "MigrationError",
  "OperatorError",
  "RoleSettingsError",
  "SchemaHistoryError",
  "SigningKeysError",
  "UnknownShopError",
  "WebhookError",
]);

const MIGRATE = "run 'partner-connect migrate' first";
const TOO_MANY = "see alerts.md, 'PostgresConnectionsHigh'";
const WAIT =
  "another session may hold a lock, or the disk may be slow: run 'partner-connect doctor', then try again";

/** The failure for each SQLSTATE. https://www.postgresql.org/docs/current/errcodes-appendix.html */
const ADVICE: Readonly<
  Record<string, readonly [error: string, message: string, hint: string | null]>
> = {
  "28000": ["DATABASE_REFUSED", "Postgres refuses the user of DATABASE_URL", null],
  "28P01": ["DATABASE_REFUSED", "Postgres refuses the password in DATABASE_URL", null],
  "3D000": ["DATABASE_MISSING", "the database that DATABASE_URL names does not exist", null],
  "3F000": ["SCHEMA_MISSING", "the database has no schema yet", MIGRATE],
  "42P01": ["SCHEMA_OUTDATED", "the database doesn't have this release's schema", MIGRATE],
  "42703": ["SCHEMA_OUTDATED", "the database doesn't have this release's schema", MIGRATE],
  "53300": ["DATABASE_UNAVAILABLE", "Postgres does not answer (53300)", TOO_MANY],
  "55P03": [
    "BUSY",
    "another transaction, such as a backup, holds a lock that this command needs; nothing was changed",
    "try again",
  ],
  "40P01": [
    "BUSY",
    "another transaction changed the same rows at the same time; nothing was changed",
    "try again",
  ],
  "57014": [
    "TIMED_OUT",
    "Postgres ended a statement that took too long; earlier commits stay",
    WAIT,
  ],
  "42501": [
    "FORBIDDEN",
    "the user of DATABASE_URL lacks a right that this command needs",
    "use the owner of the schemas",
  ],
};

const LISTED = "shop client merchant api-key product-key connection job webhook".split(" ");
const NOW = "wait until then, or give --now, which ends both secrets";

const HINTS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    LISTED.map((noun) => [
      `UNKNOWN_${noun.toUpperCase().replace("-", "_")}`,
      `'partner-connect ${noun} list' lists them`,
    ]),
  ),
  UNKNOWN_MEMBER:
    "'partner-connect shop show SHOP' and 'partner list --client CLIENT' list members",
  LAST_MEMBER: "'partner-connect shop add-member SHOP EMAIL' adds a member",
  INVALID_WEBHOOK_URL:
    "an endpoint is an https URL on a public address, such as https://acme.example/hooks",
  WEBHOOK_ADDRESS: "webhooks are sent only to public addresses",
  WEBHOOK_KEY: "use the worker's file; 'openssl rand -hex 32' makes a key",
  WEBHOOK_ROTATION_UNDER_WAY: NOW,
  TOO_MANY_WEBHOOKS: "'partner-connect webhook remove' removes one",
  CLIENT_DISABLED: "'partner-connect client enable' enables it",
  AMBIGUOUS_NAME: "give the id as id:ID",
  CLIENT_NAME_TAKEN: "choose another name, or --allow-duplicate-name",
  ROTATION_UNDER_WAY: NOW,
  ERASURE_UNDER_WAY: "if an erase command was interrupted, run it again",
};

export async function explain(thrown: unknown): Promise<Failure> {
  const error: NodeJS.ErrnoException & { hint?: unknown } =
    thrown instanceof Error ? thrown : new Error(String(thrown));
  const { name, code = "UNEXPECTED", message, syscall, path } = error;
  if (CLEAR.has(name)) {
    const hint = typeof error.hint === "string" ? error.hint : (HINTS[code] ?? null);
    return { error: code, message: oneLine(message), hint };
  }
  const advice = ADVICE[code];
  if (advice) return { error: advice[0], message: advice[1], hint: advice[2] };
  const { isDatabaseFault } = await import("@partner-connect/database");
  if (isDatabaseFault(thrown)) {
    const hint = "is it running, and does DATABASE_URL or DATA_DIR name the right server?";
    return { error: "DATABASE_UNAVAILABLE", message: `Postgres does not answer (${code})`, hint };
  }
  if (syscall && path)
    return { error: code, message: `can't ${syscall} ${path} (${code})`, hint: null };
  return { error: "UNEXPECTED", message: oneLine(`unexpected error: ${message}`), hint: null };
}

/** The failure for a wrong command line, from the `problem` that commander has written. */
export function explainUsage(error: CommanderError, problem: string): Failure {
  const [, message = "", hint = null] = /^(?:error: )?([\s\S]*?)\.?\n+(see '.*')\s*$/.exec(
    problem,
  ) ?? [problem, problem];
  return { error: "USAGE", message: oneLine(message || error.message), hint };
}

function oneLine(text: string): string {
  return text.replace(/\s*[\r\n]+\s*/g, " ").trim();
}
