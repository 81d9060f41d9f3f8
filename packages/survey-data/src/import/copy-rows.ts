import type { Transaction } from "@partner-connect/database";

/** How much text is sent to Postgres at a time; bytes, roughly. */
const BATCH = 128 * 1024;

export interface Copy {
  /** Adds a row, its values in the order of the columns; undefined is NULL. Waits while Postgres takes no more. */
  readonly row: (values: readonly (string | number | undefined)[]) => Promise<void>;
  /** Sends the rest. A failure of the COPY after this shows as the failure of the transaction's next statement. */
  readonly end: () => Promise<void>;
  /** Cancels the COPY, so that the transaction can be rolled back. */
  readonly abandon: () => void;
}

/** COPY into staged_records, on the transaction's connection, which takes no other statement until the COPY ends. */
export async function copyRows(sql: Transaction): Promise<Copy> {
  const stream = await sql.copy("COPY staged_records (line, id, inserted_at, updated_at, head, tail) FROM STDIN");
  let failure: Error | undefined;
  stream.on("error", (error) => {
    failure = error;
  });
  let batch = "";
  const flush = async () => {
    const bytes = batch;
    batch = "";
    // Lets the event loop run, as the failure of a COPY arrives there.
    if (bytes !== "" && !failure) await new Promise((resolve) => stream.write(bytes, () => setImmediate(resolve)));
    if (failure) throw failure;
  };
  return {
    row: async (values) => {
      batch += `${values.map(escaped).join("\t")}\n`;
      if (batch.length >= BATCH) await flush();
    },
    end: async () => {
      await flush();
      stream.end(); // nothing is pending, so this ends the COPY at once and the connection takes statements again
    },
    abandon: () => {
      stream.destroy(new Error("the import was given up")); // the server logs this text
    },
  };
}

/** COPY's text format. Records are JSON, so they have no raw tab or newline; only backslashes are special. */
function escaped(value: string | number | undefined): string | number {
  if (value === undefined) return "\\N";
  return typeof value === "string" && value.includes("\\") ? value.replaceAll("\\", "\\\\") : value;
}
