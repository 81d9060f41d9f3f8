import { Redis } from "ioredis";
import { OperatorError } from "../../run/operator-error.ts";

const LIMIT_MS = 3000;

/** What `ask` learns of one server. `name`: of a server of a cluster, `host:port`; else empty. */
export async function askRedis<Answer>(
  url: string,
  name: string,
  ask: (redis: Redis) => Promise<Answer>,
): Promise<Answer> {
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
      throw unreachable(failure ?? error, name);
    });
    return await ask(redis);
  } finally {
    redis.disconnect();
  }
}

/** What Redis says itself, such as NOAUTH or WRONGPASS, begins with its code. No message of it holds a password. */
function unreachable(error: NodeJS.ErrnoException, name: string): OperatorError {
  const reason = error.code ?? /^[A-Z]{3,}/.exec(error.message)?.[0] ?? error.message;
  return new OperatorError(`Redis${name && ` at ${name}`} does not answer (${reason})`, {
    hint: "is it running, and is its URL the right one?",
  });
}
