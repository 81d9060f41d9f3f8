/** Errors whose message was written for the operator. */
const CLEAR = new Set([
  "ConfigurationError",
  "DirectoryError",
  "FieldError",
  "ImportError",
  "OperatorError",
  "SigningKeysError",
  "UnknownShopError",
]);

/** What an operator can do about each SQLSTATE. https://www.postgresql.org/docs/current/errcodes-appendix.html */
const ADVICE: Readonly<Record<string, string>> = {
  "28000": "Postgres refuses the user of DATABASE_URL",
  "28P01": "Postgres refuses the password in DATABASE_URL",
  "3D000": "the database that DATABASE_URL names does not exist",
  "3F000": "the database has no schema yet: run 'partner-connect migrate' first",
  "42P01": "the database doesn't have this release's schema: run 'partner-connect migrate' first",
  "42703": "the database doesn't have this release's schema: run 'partner-connect migrate' first",
  "55P03": "another transaction uses the table, such as a backup; nothing was changed: try again when it has ended",
  "42501": "the user of DATABASE_URL may not do that: use the owner of the schemas, not a service's role",
};

/** One line that says what failed and what to do. It has no secret: no connection URL and no statement. */
export async function explain(error: unknown): Promise<string> {
  const { name, code, message, syscall, path }: NodeJS.ErrnoException =
    error instanceof Error ? error : new Error(String(error));
  if (CLEAR.has(name)) return oneLine(message);
  const advice = ADVICE[code ?? ""];
  if (advice) return advice;
  const { isDatabaseFault } = await import("@partner-connect/database");
  if (isDatabaseFault(error)) {
    return `Postgres does not answer (${code}): is it running, and do DATABASE_URL or DATA_DIR name the right one?`;
  }
  return syscall && path ? `can't ${syscall} ${path} (${code})` : oneLine(`unexpected: ${message}`);
}

function oneLine(text: string): string {
  return text.replace(/\s*[\r\n]+\s*/g, " ").trim();
}
