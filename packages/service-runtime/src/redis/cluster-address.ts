import { type Parsed, storeUrl } from "../environment/variable-forms.ts";

/** A Redis Cluster's address, from `redis+cluster://user:password@host:port,host:port`. */
export interface ClusterAddress {
  /** Seed nodes. */
  readonly hosts: readonly { readonly host: string; readonly port: number }[];
  readonly username?: string;
  readonly password?: string;
  /** `rediss+cluster`: TLS to every server. */
  readonly isEncrypted: boolean;
}

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

/** The URL of one node of the cluster. */
export function serverUrl(address: ClusterAddress, host: string, port: number): string {
  const { username = "", password, isEncrypted } = address;
  const secret = password === undefined ? "" : `:${encodeURIComponent(password)}`;
  const user = username || secret ? `${encodeURIComponent(username)}${secret}@` : "";
  return `${isEncrypted ? "rediss" : "redis"}://${user}${host.includes(":") ? `[${host}]` : host}:${port}`;
}

const CLUSTER_SCHEME = /^[a-z][a-z0-9.-]*\+cluster:/i;
const SEVERAL_HOSTS = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#]*@)?(?![^/?#]*@)[^/?#]*,/i;
const CLUSTER_URL = /^(rediss?)\+cluster:\/\/([^/?#@]*@)?([^/?#@]+)(?:\/(.*))?$/i;

function parseCluster(text: string): Parsed<ClusterAddress> {
  const [, scheme = "", login = "", servers = "", database] = CLUSTER_URL.exec(text) ?? [];
  const urls = servers.split(",").map((server) => URL.parse(`${scheme}://${login}${server}`));
  const hosts = urls.map((url) => ({ host: url?.hostname.replace(/^\[|\]$/g, ""), port: Number(url?.port || 6379) }));
  if (!hosts.every(isNode)) {
    return { problem: "is not a URL such as redis+cluster://user:password@host:6379,host:6379" };
  }
  if (database && database !== "0") return { problem: "names a database, and a Redis Cluster has only number 0" };
  const { username = "", password = "" } = urls[0] ?? {};
  try {
    return {
      value: {
        hosts,
        ...(username && { username: decodeURIComponent(username) }),
        ...(password && { password: decodeURIComponent(password) }),
        isEncrypted: scheme.toLowerCase() === "rediss",
      },
    };
  } catch {
    return { problem: "has a user or a password that is not percent-encoded" };
  }
}

const isNode = (node: { host: string | undefined; port: number }): node is ClusterAddress["hosts"][number] =>
  Boolean(node.host) && node.port > 0;
