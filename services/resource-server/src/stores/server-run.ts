import type { Redis } from "@partner-connect/service-runtime";

const RUN_ID = /^run_id:(\w+)/m;

const runs = new WeakMap<object, string>();

/**
 * Redis's `run_id`, which is another one after each start of the server. It tells data that a snapshot restored from data
 * written since. It is asked once per connection, and it is valid for commands that are sent in the same turn of the event
 * loop: if the connection was lost in between, those fail. Empty if this user may not ask, or the server doesn't say.
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
