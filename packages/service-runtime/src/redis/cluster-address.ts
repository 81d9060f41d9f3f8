import { type Parsed, storeUrl } from "../environment/variable-forms.ts";

/** The nodes of a Redis Cluster, each as a URL with host, port and login. */
export type ClusterAddress = readonly [URL, ...URL[]];

/** Null for the URL of a single server. */
export function clusterAddress(url: string): ClusterAddress | null {
  const parsed = CLUSTER_SCHEME.test(url) ? parseCluster(url) : null;
  return parsed && "value" in parsed ? parsed.value : null;
}

/** A `redis://` or `rediss://` URL of a server or cluster. Problems never repeat the URL. */
export function redisUrl(text: string): Parsed<string> {
  if (CLUSTER_SCHEME.test(text)) {
    const parsed = parseCluster(text);
    return "problem" in parsed ? parsed : { value: text };
  }
  if (SEVERAL_HOSTS.test(text)) {
    return {
      problem: "names several servers: those of a Redis Cluster begin with redis+cluster:// or rediss+cluster://",
    };
  }
  return storeUrl(text);
}

/** The URL of another node of the cluster. */
export function serverUrl([node]: ClusterAddress, host: string, port: number): string {
  const hostname = host.includes(":") ? `[${host}]` : host;
  return Object.assign(new URL(node), { hostname, port: String(port) }).href;
}

const CLUSTER_SCHEME = /^[a-z][a-z0-9.-]*\+cluster:/i;
const SEVERAL_HOSTS = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#]*@)?(?![^/?#]*@)[^/?#]*,/i;
const CLUSTER_URL = /^(rediss?)\+cluster:\/\/([^/?#@]*@)?([^/?#@]+)(?:\/(.*))?$/i;

/** Parses `redis+cluster://user:password@host:port,host:port`; `rediss+cluster` is TLS to every server. */
function parseCluster(text: string): Parsed<ClusterAddress> {
  const [, scheme, login = "", servers = "", database] = CLUSTER_URL.exec(text) ?? [];
  const nodes = servers.split(",").map((server) => URL.parse(`${scheme}://${login}${server}`));
  for (const node of nodes) if (node?.port === "") node.port = "6379";
  if (!nodes.every((node) => node?.hostname && node.port !== "0")) {
    return { problem: "is not a URL such as redis+cluster://user:password@host:6379,host:6379" };
  }
  if (database && database !== "0") return { problem: "names a database, and a Redis Cluster has only number 0" };
  try {
    decodeURIComponent(login);
  } catch {
    return { problem: "has a user or a password that is not percent-encoded" };
  }
  return { value: nodes as [URL, ...URL[]] };
}
