import type { RedisServer } from "@partner-connect/service-runtime";

/** A server that others took the place of for a while may have it again on the same connection. */
const VALID_MS = 1000;

interface KnownRun {
  readonly stream: object | undefined;
  readonly until: number;
  readonly run: Promise<string>;
}

const runs = new WeakMap<RedisServer, KnownRun>();

/**
 * Names the time since when this server alone has had its data: another one after each start, and after each time that another server
 * had them. So it tells data that a snapshot restored, or that were here before, from data written since. It is asked once a second
 * for each connection, and it is valid for commands that are sent on it in the same turn of the event loop: if the connection was
 * lost in between, those fail. Empty if this user may not ask, or the server doesn't say.
 */
export async function serverRun(server: RedisServer): Promise<string> {
  const known = runs.get(server);
  if (known && known.stream === server.stream && performance.now() < known.until) return await known.run;
  const asked: KnownRun = { stream: server.stream, until: performance.now() + VALID_MS, run: ask(server) };
  runs.set(server, asked);
  asked.run.catch(() => runs.get(server) === asked && runs.delete(server));
  return await asked.run;
}

/** Another `run_id` after each start, another `master_replid` after each failover, and another epoch when slots come here. */
async function ask(server: RedisServer): Promise<string> {
  const info = await allowed(server.info("server", "replication", "cluster"));
  const isInCluster = info.includes("cluster_enabled:1");
  const cluster = isInCluster ? await allowed(server.cluster("INFO")) : "";
  return [RUN_ID.exec(info)?.[1], DATA_ID.exec(info)?.[1], EPOCH.exec(cluster)?.[1]].join(" ").trim();
}

const RUN_ID = /^run_id:(\w+)/m;
const DATA_ID = /^master_replid:(\w+)/m;
const EPOCH = /^cluster_my_epoch:(\d+)/m;

async function allowed(answer: Promise<unknown>): Promise<string> {
  return String(
    await answer.catch((error: Error) => {
      if (error.message.startsWith("NOPERM")) return "";
      throw error;
    }),
  );
}
