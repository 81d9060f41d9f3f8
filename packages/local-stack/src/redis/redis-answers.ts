import { Redis } from "ioredis";

/** Whether the Redis at `url` serves; false while it still loads its file. Throws why there is no connection. */
export async function redisAnswers(url: string): Promise<boolean> {
  // Of a cluster the first server that is named is asked: it has no other slots to tell of than the services find.
  const server = url.replace(/^(rediss?)\+cluster:\/\/((?:[^@]*@)?[^,/]+).*/, "$1://$2");
  const redis = new Redis(server, { lazyConnect: true, retryStrategy: () => null });
  // The error of `connect` doesn't say why there is no connection; the event does.
  let reason: Error | undefined;
  redis.on("error", (error) => {
    reason = error;
  });
  try {
    await redis.connect();
    return (await redis.ping()) === "PONG";
  } catch (error) {
    throw reason ?? error;
  } finally {
    redis.disconnect();
  }
}
