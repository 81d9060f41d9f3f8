import { type ClusterAddress, clusterAddress, serverUrl } from "@partner-connect/service-runtime/environment";
import { askRedis, readServer } from "./redis-server.ts";

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
