import type { Redis } from "@partner-connect/service-runtime";

const RUN_ID = /^run_id:(\w+)/m;

const runs = new WeakMap<object, string>();

/**
 * Which run of its server Redis is in: another one after each start, so that what a snapshot brought back can be told
 * from what is known since. Asked once a connection. It holds for the commands that are sent in the same turn: where
 * the connection was lost meanwhile, those fail. Empty where this user may not ask, or the server doesn't say.
 */
export async function serverRun(redis: Redis): Promise<string> {
  for (;;) {
    const { stream } = redis;
    const known = runs.get(stream);
    if (known !== undefined) return known;
    const info = await redis.info("server").catch((error: Error) => {
      if (error.message.startsWith("NOPERM")) return "";
      throw error;
    });
    runs.set(stream, RUN_ID.exec(info)?.[1] ?? "");
  }
}
