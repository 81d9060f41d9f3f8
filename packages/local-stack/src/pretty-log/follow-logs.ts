import { open, readdir, stat } from "node:fs/promises";
import { basename, join } from "node:path";

const LOOK_EVERY_MS = 250;
/** Of one look at one file. What a burst leaves behind is shown by the next looks. */
const MOST_BYTES = 256 * 1024;

/** Prints what the services and the gateway log from now on, in short lines. The files keep the records as they are. */
export async function followLogs(folder: string, say: (line: string) => void, signal: AbortSignal): Promise<void> {
  const files = (await readdir(folder)).filter((file) => /^(?:gateway|(?:.*-server|notifier)-\d+)\.log$/.test(file));
  const logs = await Promise.all(
    files.map(async (file) => ({ path: join(folder, file), from: (await stat(join(folder, file))).size })),
  );
  const look = async (): Promise<void> => {
    for (const log of logs) log.from += await showNew(log, say).catch(() => 0); // a file that is gone has nothing new
    if (!signal.aborted) setTimeout(() => void look(), LOOK_EVERY_MS).unref();
  };
  await look();
}

/** Returns how many bytes were shown: those of whole lines. */
async function showNew(
  log: { readonly path: string; readonly from: number },
  say: (line: string) => void,
): Promise<number> {
  const { size } = await stat(log.path);
  if (size < log.from) return size - log.from;
  if (size === log.from) return 0;
  const file = await open(log.path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(size - log.from, MOST_BYTES)), {
      position: log.from,
    });
    const end = buffer.subarray(0, bytesRead).lastIndexOf("\n") + 1;
    for (const json of buffer.toString("utf8", 0, end).split("\n")) {
      const line = logLine(basename(log.path, ".log"), json);
      if (line !== null) say(line);
    }
    return end;
  } finally {
    await file.close();
  }
}

const WARNING = 40;

/** Of a process's start; the stack itself says what people need to know of it. */
const OF_THE_START = /^(?:configuration|listening|Server listening at .*|signing access tokens)$/;

/** A record as one short line: time, process, what happened. Null: of no interest, as the gateway's record of a service's request. */
export function logLine(name: string, json: string): string | null {
  const record = parsed(json);
  if (record === null) return null;
  const { msg, level, time } = record;
  if (typeof msg !== "string" || typeof level !== "number" || OF_THE_START.test(msg)) return null;
  const isOwn = record["status"] === 503 || record["reason"] !== undefined; // the gateway's own answer
  if (msg === "request" && name === "gateway" && !isOwn) return null;
  const what = msg === "request" ? requestText(record) : `${msg}${fieldsText(record)}`;
  return `${new Date(Number(time)).toTimeString().slice(0, 8)} ${name.padEnd(22)} ${level < WARNING ? " " : "!"} ${what}`;
}

function requestText(record: LogRecord): string {
  const { method = "", route, path = route, status = "left", ms } = record;
  const who = WHO.flatMap((field) => (record[field] === undefined ? [] : [record[field]]));
  return [method, path, status, `${ms}ms`, ...who].filter((part) => part !== "").join(" ");
}

const WHO = ["reason", "outcome", "client_id", "shop_id", "connection_id", "api_key_id", "merchant_id"];

const OWN_FIELDS = new Set(["level", "time", "pid", "hostname", "name", "msg", "reqId", "trace_id"]);

function fieldsText(record: LogRecord): string {
  const { err, ...fields } = record;
  const error = err as { message?: string; stack?: string } | undefined;
  const others = Object.entries(fields).filter(([field]) => !OWN_FIELDS.has(field));
  const texts = others.map(
    ([field, value]) => ` ${field}=${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
  return `${texts.join("")}${error ? ` ${error.stack ?? error.message}` : ""}`;
}

type LogRecord = Readonly<Record<string, unknown>>;

function parsed(json: string): LogRecord | null {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "object" && value !== null ? (value as LogRecord) : null;
  } catch {
    return null;
  }
}
