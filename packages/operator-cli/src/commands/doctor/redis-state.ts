import { type ClusterAddress, clusterAddress, serverUrl } from "@partner-connect/service-runtime/environment";
import { Redis } from "ioredis";
import { OperatorError } from "../../errors.ts";
import { secondsAhead } from "./ask-replicas.ts";

export type RedisState = Awaited<ReturnType<typeof readRedis>>;

/** What a Redis, or a Valkey, says of itself: one server, or each of a cluster, else null. */
export async function readRedis(url: string) {
  const address = clusterAddress(url);
  if (!address) return { servers: [await readServer(url, "")], cluster: null };
  const cluster = await readCluster(address);
  const servers = cluster.members.filter(({ isAway }) => !isAway);
  return { servers: await Promise.all(servers.map((member) => readServer(member.url, member.name))), cluster };
}

export type ClusterState = Awaited<ReturnType<typeof readCluster>>;

/** As the first of its servers that answers sees it. */
async function readCluster(address: ClusterAddress) {
  let failure: unknown;
  for (const { host, port } of address.hosts) {
    try {
      return await askRedis(serverUrl(address, host, port), `${host}:${port}`, async (redis) => {
        const info = String(await redis.cluster("INFO"));
        const nodes = String(await redis.cluster("NODES"));
        return {
          state: /^cluster_state:(\w+)/m.exec(info)?.[1] ?? "",
          slots: Number(/^cluster_slots_ok:(\d+)/m.exec(info)?.[1]),
          members: nodes
            .trim()
            .split("\n")
            .map((line) => memberOf(line, address))
            .sort((a, b) => (a.name < b.name ? -1 : 1)),
        };
      });
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

/** `id ip:port@bus,hostname flags master … slots`: https://redis.io/docs/latest/commands/cluster-nodes/ */
function memberOf(line: string, address: ClusterAddress) {
  const [id = "", place = "", flags = "", master = "-", , , , , ...slots] = line.split(" ");
  const [ip = "", hostname = ""] = place.split(",");
  const [, number = "", port = ""] = /^(.*):(\d+)(?:@\d+)?$/.exec(ip) ?? [];
  const host = hostname || number;
  return {
    id,
    name: `${host}:${port}`,
    url: serverUrl(address, host, Number(port)),
    isAway: /fail|noaddr|handshake/.test(flags),
    follows: master === "-" ? null : master,
    hasSlots: slots.length > 0,
  };
}

export type RedisServerState = Awaited<ReturnType<typeof readServer>>;

const SETTINGS = [
  ...["appendonly", "appendfsync", "maxmemory", "maxmemory-policy", "save", "stop-writes-on-bgsave-error"],
  "cluster-require-full-coverage",
];

async function readServer(url: string, name: string) {
  return await askRedis(url, name, async (redis) => {
    const info = new Map((await redis.info()).split("\r\n").map(pairOf));
    const listed = (await redis.config("GET", ...(SETTINGS as [string]))) as string[];
    const sent = Date.now();
    const [seconds, microseconds] = await redis.time();
    const theirs = Number(seconds) * 1000 + Number(microseconds) / 1000;
    return {
      /** In a cluster `host:port`, else empty. */
      name,
      /** Fields of INFO, such as `used_memory`. */
      info,
      settings: new Map(SETTINGS.map((setting) => [setting, String(listed[listed.indexOf(setting) + 1])])),
      /** By how many seconds its clock is ahead of ours, at least. */
      secondsAhead: secondsAhead(theirs, sent, Date.now()),
    };
  });
}

function pairOf(line: string): [string, string] {
  const at = line.indexOf(":");
  return [line.slice(0, at), line.slice(at + 1)];
}

const LIMIT_MS = 3000;

/** What `ask` learns of one server. `name`: `host:port` in a cluster, else empty. @throws {OperatorError} when it does not answer */
async function askRedis<Answer>(url: string, name: string, ask: (redis: Redis) => Promise<Answer>): Promise<Answer> {
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
