import { Redis } from "ioredis";
import { OperatorError } from "../../operator-error.ts";
import { present } from "../../present.ts";
import { secondsAhead } from "./clock.ts";

/** What a Redis, or a Valkey, says of itself. */
export interface RedisState {
  /** Fields of INFO, such as `used_memory`. */
  readonly info: ReadonlyMap<string, string>;
  /** Settings that CONFIG GET tells. */
  readonly settings: ReadonlyMap<string, string>;
  /** By how many seconds its clock is ahead of ours, at least. */
  readonly secondsAhead: number;
}

const LIMIT_MS = 3000;
const SETTINGS = ["appendonly", "appendfsync", "maxmemory", "maxmemory-policy", "save", "stop-writes-on-bgsave-error"];

export async function readRedis(url: string): Promise<RedisState> {
  const redis = new Redis(url, {
    connectionName: "partner-connect",
    lazyConnect: true,
    connectTimeout: LIMIT_MS,
    commandTimeout: LIMIT_MS,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  let failure: Error | undefined;
  redis.on("error", (error) => {
    failure = error;
  });
  try {
    // It rejects with "Connection is closed.", and has told the cause before.
    await redis.connect().catch((error: Error) => {
      throw unreachable(failure ?? error);
    });
    const info = new Map((await redis.info()).split("\r\n").map(pairOf));
    const listed = (await redis.config("GET", ...(SETTINGS as [string]))) as string[];
    const sent = present().getTime();
    const [seconds, microseconds] = await redis.time();
    const theirs = Number(seconds) * 1000 + Number(microseconds) / 1000;
    return {
      info,
      settings: new Map(SETTINGS.map((name) => [name, String(listed[listed.indexOf(name) + 1])])),
      secondsAhead: secondsAhead(theirs, sent, present().getTime()),
    };
  } finally {
    redis.disconnect();
  }
}

/** What Redis says itself, such as NOAUTH or WRONGPASS, begins with its code. No message of it holds a password. */
function unreachable(error: NodeJS.ErrnoException): OperatorError {
  const reason = error.code ?? /^[A-Z]{3,}/.exec(error.message)?.[0] ?? error.message;
  return new OperatorError(`Redis does not answer (${reason})`, {
    hint: "is it running, and is its URL the right one?",
  });
}

function pairOf(line: string): [string, string] {
  const at = line.indexOf(":");
  return [line.slice(0, at), line.slice(at + 1)];
}
