import type { CommanderError } from "@commander-js/extra-typings";

/** The command was refused. The message is one line; `code` is stable, for scripts. */
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

/** The command has answered, and its answer is a failure: exit code 1 without a further message. */
export class FailedAnswer extends Error {
  override readonly name = "FailedAnswer";
}

/** The command line itself is wrong: exit code 2. */
export class UsageError extends OperatorError {
  constructor(message: string, hint?: string) {
    super(message, { code: "USAGE", hint });
  }
}

export function cancelled(): OperatorError {
  return new OperatorError("cancelled; nothing was changed", { code: "CANCELLED" });
}

/**
 * Why a command was not done. With --json it is printed as the document `{error, message, hint}`.
 */
export interface Failure {
  /** Stable, for scripts: the error's code, such as UNKNOWN_SHOP. */
  readonly error: string;
  /** One line. It has no secret: no connection URL and no statement. */
  readonly message: string;
  /** The suggested remedy, unless the message contains it. */
  readonly hint: string | null;
}

/** Errors whose message was written for the operator. */
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
const WAIT =
  "a lock that somebody holds, or a disk that is busy: 'partner-connect doctor' looks; then try again";

/** The remedy for each SQLSTATE. https://www.postgresql.org/docs/current/errcodes-appendix.html */
const ADVICE: Readonly<
  Record<string, readonly [error: string, message: string, hint: string | null]>
> = {
  "28000": ["DATABASE_REFUSED", "Postgres refuses the user of DATABASE_URL", null],
  "28P01": ["DATABASE_REFUSED", "Postgres refuses the password in DATABASE_URL", null],
  "3D000": ["DATABASE_MISSING", "the database that DATABASE_URL names does not exist", null],
  "3F000": ["SCHEMA_MISSING", "the database has no schema yet", MIGRATE],
  "42P01": ["SCHEMA_OUTDATED", "the database doesn't have this release's schema", MIGRATE],
  "42703": ["SCHEMA_OUTDATED", "the database doesn't have this release's schema", MIGRATE],
  "55P03": [
    "BUSY",
    "another transaction, such as a backup, uses what would change; nothing was changed",
    "try again",
  ],
  "40P01": [
    "BUSY",
    "another transaction changed the same at the same moment; nothing was changed",
    "run it again",
  ],
  "57014": [
    "TIMED_OUT",
    "Postgres ended a statement that took too long; what was committed before it stays",
    WAIT,
  ],
  "42501": [
    "FORBIDDEN",
    "the user of DATABASE_URL may not do that",
    "use the owner of the schemas",
  ],
};

const LISTED = "shop client merchant api-key product-key connection job webhook".split(" ");
const NOW = "wait until then, or give --now, which ends both";

const HINTS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    LISTED.map((noun) => [
      `UNKNOWN_${noun.toUpperCase().replace("-", "_")}`,
      `'partner-connect ${noun} list' lists them`,
    ]),
  ),
  UNKNOWN_MEMBER:
    "'partner-connect shop show SHOP' and 'partner list --client CLIENT' list members",
  LAST_MEMBER: "'partner-connect shop add-member SHOP EMAIL' adds one",
  INVALID_WEBHOOK_URL:
    "an endpoint is an https URL on a public address, such as https://acme.example/hooks",
  WEBHOOK_ADDRESS: "hints are sent to public addresses only",
  WEBHOOK_KEY: "it is the file that the worker has too; 'openssl rand -hex 32' makes a key",
  WEBHOOK_ROTATION_UNDER_WAY: NOW,
  TOO_MANY_WEBHOOKS: "'partner-connect webhook remove' takes one away",
  CLIENT_DISABLED: "'partner-connect client enable' lets it work again",
  AMBIGUOUS_NAME: "give the id as id:ID",
  CLIENT_NAME_TAKEN: "choose another name, or --allow-duplicate-name",
  ROTATION_UNDER_WAY: NOW,
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
    const hint = "is it running, and do DATABASE_URL or DATA_DIR name the right one?";
    return { error: "DATABASE_UNAVAILABLE", message: `Postgres does not answer (${code})`, hint };
  }
  if (syscall && path)
    return { error: code, message: `can't ${syscall} ${path} (${code})`, hint: null };
  return { error: "UNEXPECTED", message: oneLine(`unexpected: ${message}`), hint: null };
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
