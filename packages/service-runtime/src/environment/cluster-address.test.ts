import { expect, test } from "vitest";
import { clusterAddress, clusterNodeUrl, redisUrl } from "./variable-forms.ts";

const NOT_ENCODED = "has a user or a password that is not percent-encoded";
const NO_SERVER = "is not a URL such as redis://user:password@host:6379";
const NO_CLUSTER_URL = "is not a URL such as redis+cluster://user:password@host:6379,host:6379";
const NO_CLUSTER =
  "names several servers; a Redis Cluster's URL begins with redis+cluster:// or rediss+cluster://";
const NO_DATABASE = "names a database, and a Redis Cluster has only number 0";

const SERVERS = [
  "redis://localhost",
  "redis://user:a,b@redis:6379/3",
  "rediss://:secret@redis",
  "redis://[::1]:6379/1?family=6",
];
test("the URL of a single Redis server is accepted unchanged", () => {
  for (const url of SERVERS)
    expect([redisUrl(url), clusterAddress(url)]).toEqual([{ value: url }, null]);
});

test.each([
  ["redis+cluster://one", ["redis://one:6379"]],
  [
    "rediss+cluster://us%40er:p%2Fw%2C@one:7000,two,[::1]:7002/0",
    ["one:7000", "two:6379", "[::1]:7002"].map((host) => `rediss://us%40er:p%2Fw%2C@${host}`),
  ],
  ["redis+cluster://:secret@127.0.0.1:1/", ["redis://:secret@127.0.0.1:1"]],
])("%s is accepted as the URL of a Redis Cluster", (url, nodes) => {
  expect([redisUrl(url), clusterAddress(url)?.map(String)]).toEqual([{ value: url }, nodes]);
});

const REFUSED = [
  ["redis://:secret@one:7000,two:7001", NO_CLUSTER],
  ["rediss://one,two/0", NO_CLUSTER],
  ["one:7000,two:7001", NO_SERVER],
  ["redis://redis ", NO_SERVER],
  ["http://redis", NO_SERVER],
  ["redis://:secret@redis:637900", NO_SERVER],
  ["redis://:sec/ret@redis", NO_SERVER],
  ["redis://role:12/ret@redis", NO_SERVER],
  ["redis://role:12?ret@redis", NO_SERVER],
  ["redis://:sec%ret@redis", NOT_ENCODED],
  ["redis+cluster:one", NO_CLUSTER_URL],
  ["redis+cluster://", NO_CLUSTER_URL],
  ["redis+cluster://:secret@one:7000,,two", NO_CLUSTER_URL],
  ["redis+cluster://:secret@one:70000", NO_CLUSTER_URL],
  ["redis+cluster://:secret@one:0", NO_CLUSTER_URL],
  ["redis+cluster://one two", NO_CLUSTER_URL],
  ["redis+cluster://:secret@one?family=6", NO_CLUSTER_URL],
  ["postgres+cluster://:secret@one", NO_CLUSTER_URL],
  ["redis+cluster://:secret@one/3", NO_DATABASE],
  ["redis+cluster://:secret%@one", NOT_ENCODED],
] as const;
test("an invalid Redis URL is refused, and the message doesn't contain the URL", () => {
  for (const [url, problem] of REFUSED)
    expect([redisUrl(url), clusterAddress(url)], url).toEqual([{ problem }, null]);
});

test.each([
  ["redis+cluster://one", "two", 7000, "redis://two:7000"],
  ["rediss+cluster://us%40er:p%2Fw@one", "::1", 7000, "rediss://us%40er:p%2Fw@[::1]:7000"],
  ["redis+cluster://:secret@one", "two", 6379, "redis://:secret@two:6379"],
])("in the cluster %s, the node %s on port %i has the URL %s", (url, host, port, server) => {
  const address = clusterAddress(url);
  expect(address && clusterNodeUrl(address, host, port)).toBe(server);
});
