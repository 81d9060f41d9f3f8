import { execFile } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import tls from "node:tls";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type RedisCluster, startRedisCluster, temporaryFolder } from "../testing/index.ts";
import { connectRedis } from "./connect-redis.ts";
import type { Redis } from "./connection.ts";
import { nodeOf, requireRedis } from "./readiness.ts";

const folder = temporaryFolder(afterAll);
let cluster: RedisCluster | undefined;
let redis: Redis | undefined;
const known = tls.getCACertificates("default");

beforeAll(async () => {
  const [certificate, key] = [join(folder, "certificate.pem"), join(folder, "key.pem")];
  const names = "subjectAltName=DNS:localhost,IP:127.0.0.1";
  const request = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 1".split(" ");
  await promisify(execFile)("openssl", [
    ...[...request, "-subj", "/CN=localhost", "-addext", names],
    ...["-keyout", key, "-out", certificate],
  ]);
  cluster = await startRedisCluster({
    replicas: 0,
    password: "pass word",
    tls: { certificate, key },
  });
});
afterAll(async () => {
  tls.setDefaultCACertificates(known);
  redis?.disconnect();
  await cluster?.stop();
});

test("with rediss+cluster each server must present a trusted certificate", async () => {
  const url = cluster?.url ?? "";
  const stranger = connectRedis(url, "test");
  await once(stranger, "error");
  await expect(requireRedis(stranger)).rejects.toThrow(/self-signed certificate/);
  await expect(stranger.get("a")).rejects.toThrow();
  stranger.disconnect();

  tls.setDefaultCACertificates([...known, await readFile(join(folder, "certificate.pem"), "utf8")]);
  redis = connectRedis(url, "test");
  await once(redis, "ready");
  const places = new Set<string>();
  for (let i = 0; places.size < 3; i++) {
    await redis.set(`key ${i}`, "1");
    places.add(nodeOf(redis, `key ${i}`));
  }
  await requireRedis(redis);
});

test("an error about a wrong Redis password does not contain the password", async () => {
  const wrong = connectRedis((cluster?.url ?? "").replace("pass%20word", "guessed"), "test");
  await once(wrong, "error");
  await expect(requireRedis(wrong)).rejects.toThrow(/^(?!.*guessed).*WRONGPASS/s);
  wrong.disconnect();
});
