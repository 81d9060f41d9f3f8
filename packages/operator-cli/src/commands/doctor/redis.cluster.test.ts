import { type RedisCluster, startRedisCluster } from "@partner-connect/service-runtime/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checkRedis, checkResourceServerRedis } from "./redis.ts";
import { readRedis, type System } from "./system.ts";

let cluster: RedisCluster;

beforeAll(async () => {
  const settings = ["--maxmemory", "64mb"];
  cluster = await startRedisCluster({ replicas: 1, durable: true, password: "secret", settings });
});
afterAll(() => cluster?.stop());

function system(url = cluster.url): System {
  const read = () => readRedis("REDIS_URL", url);
  return { redis: read, resourceServerRedis: read } as unknown as System;
}

const address = (index: number): string => `127.0.0.1:${cluster.nodes[index]?.port}`;

test("doctor accepts a Redis Cluster with the right settings and a replica of each master", async () => {
  const found = await checkRedis(system());
  expect(found).toEqual({
    ok: true,
    found: expect.stringMatching(
      /^\d[\d.]+, 3 masters, yes, always, noeviction, \d+ MB of 192 MB used$/,
    ),
    remedy: null,
  });
  expect(await checkResourceServerRedis(system())).toMatchObject({
    ok: true,
    found: "the same as redis",
  });
});

const configure = (settings: string) =>
  cluster.nodes[4]?.call("CONFIG", "SET", ...settings.split(" "));

test("doctor reports a Redis server's wrong settings with a remedy", async () => {
  await configure("appendfsync everysec cluster-require-full-coverage yes");
  const found = await checkRedis(system());
  await configure("appendfsync always cluster-require-full-coverage no");
  expect(found).toEqual({
    ok: false,
    found: `${address(4)}: appendfsync is everysec; cluster-require-full-coverage is yes`,
    remedy:
      "CONFIG SET appendfsync always; CONFIG SET cluster-require-full-coverage no; and set the same in its configuration",
  });
});

test("doctor reports a URL with only one server of a Redis Cluster", async () => {
  const found = await checkRedis(system(`redis://:secret@${address(0)}`));
  expect(found).toMatchObject({
    ok: false,
    found: "it is a server of a Redis Cluster: its URL begins with redis+cluster://",
  });
});

test("doctor reports a Redis Cluster's missing replicas and unserved slots", async () => {
  await cluster.nodes[3]?.kill();
  const look = async () => (await checkRedis(system())).found;
  await expect
    .poll(look, { timeout: 10_000 })
    .toBe(`${address(3)} does not answer; ${address(0)}: it has no replica`);
  await cluster.nodes[0]?.kill();
  const expected = "5461 of 16384 slots are not served";
  await expect
    .poll(look, { timeout: 10_000 })
    .toBe(
      [expected, ...[address(0), address(3)].sort().map((name) => `${name} does not answer`)].join(
        "; ",
      ),
    );
});
