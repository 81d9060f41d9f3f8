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
