import { createWriteStream } from "node:fs";
import { link, rm } from "node:fs/promises";
import { resolve } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { StoredRecord } from "@partner-connect/audit";
import { parseSince } from "../../options/values.ts";
import { answer, withDatabase } from "../../run/command.ts";
import { type Context, OperatorError, UsageError } from "../../run/context.ts";
import { countOf } from "../../terminal/progress.ts";

interface Wanted {
  readonly since?: string;
  readonly until?: string;
  readonly out: string;
}

export function auditExport(context: Context) {
  return answer(context, async (wanted: Wanted) => {
    const since = wanted.since === undefined ? null : parseSince(wanted.since);
    const asked = wanted.until === undefined ? null : parseSince(wanted.until);
    if (since && asked && asked <= since) throw new UsageError("--until is not after --since");
    const { readLogs, recordTime, settledTime } = await import("@partner-connect/audit");
    const { askNodes } = await import("@partner-connect/citus");
    let records = 0;
    const until = await withDatabase(
      context,
      async (sql) => {
        const settled = await settledTime(sql, (query) => askNodes(sql, query));
        const until = asked && asked < settled ? asked : settled;
        await write(context, wanted.out, async function* lines() {
          for await (const record of readLogs(sql, { from: since, until })) {
            records++;
            yield `${JSON.stringify(exported(record, recordTime(record.ms)))}\n`;
          }
        });
        return until.toISOString();
      },
      { statementTimeout: 0 },
    );
    const isOnScreen = wanted.out === "-";
    const next = `go on with --since ${until}`;
    return {
      json: { records, since: since?.toISOString() ?? null, until, file: isOnScreen ? null : wanted.out },
      isWritten: isOnScreen,
      text: `Wrote ${countOf(records, "record")} to ${wanted.out}; ${next}.`,
      note: isOnScreen ? `note: ${countOf(records, "record")}; ${next}` : undefined,
    };
  });
}

/** To stdout as it comes; or to a file that is there whole, or not at all. */
async function write({ config, terminal }: Context, out: string, lines: () => AsyncGenerator<string>): Promise<void> {
  if (out === "-") return await pipeline(Readable.from(lines()), terminal.stdout, { end: false });
  const path = resolve(config.workingDirectory, out);
  const part = `${path}.part-${process.pid}`;
  try {
    await pipeline(Readable.from(lines()), createWriteStream(part, { flags: "wx", mode: 0o600 }));
    await link(part, path);
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") {
      throw new OperatorError(`there is a file ${path} already`, { code: "FILE_EXISTS", hint: "name another one" });
    }
    if (!/^(open|write|close|link)$/.test(syscall ?? "")) throw error;
    throw new OperatorError(`can't write ${path} (${code})`, { code: "CANNOT_WRITE" });
  } finally {
    await rm(part, { force: true });
  }
}

/** A line of the export. deploy/operations/audit.md describes it. */
function exported(record: StoredRecord, at: string) {
  return {
    at,
    id: record.id,
    actor: record.actor,
    action: record.event,
    client_id: record.clientId,
    shop_id: record.shopId,
    connection_id: record.connectionId,
    merchant_id: record.merchantId,
    request_id: record.requestId,
    ip: record.ip,
    detail: JSON.parse(record.details),
  };
}
