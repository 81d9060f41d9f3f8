import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { derivedRolePassword, roleUrl, type ServiceRole } from "@partner-connect/database";
import { unmigratedDatabase } from "@partner-connect/database/testing";
import { freePort } from "@partner-connect/local-stack";
import { createSigningKeysFile } from "@partner-connect/signing-keys";
import { expect, onTestFinished, test } from "vitest";
import { CAN_RUN_CONTAINERS, type Cluster, type RunningContainer, run } from "./container.ts";
import { HAS_KUBECTL } from "./kubectl.ts";
import { containers, type PodContainer } from "./pods.ts";
import { render } from "./render.ts";

const ADMIN_URL = process.env["TEST_DATABASE_URL"] ?? "";
const REDIS_URL = process.env["TEST_REDIS_URL"] ?? "";

const password = (role: ServiceRole) => derivedRolePassword(new URL(ADMIN_URL).password, role);

async function secrets(databaseUrl: string): Promise<Cluster["secrets"]> {
  const stores = (role: ServiceRole) => ({
    "database-url": `${roleUrl(databaseUrl, role, password(role))}\n`,
    "redis-url": `${REDIS_URL}\n`,
  });
  return {
    "authorization-server-stores": stores("authorization_server"),
    "resource-server-stores": stores("resource_server"),
    "notifier-stores": { "database-url": `${roleUrl(databaseUrl, "notifier", password("notifier"))}\n` },
    "operator-stores": {
      "database-url": databaseUrl,
      "authorization-server-password": password("authorization_server"),
      "resource-server-password": password("resource_server"),
      "notifier-password": password("notifier"),
    },
    webhooks: { key: "w".repeat(32) },
    "signing-keys": { "signing-keys.json": await signingKeys() },
  };
}

async function signingKeys(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "partner-connect-keys-"));
  try {
    await createSigningKeysFile(join(folder, "keys.json"));
    return await readFile(join(folder, "keys.json"), "utf8");
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Asks a probe as the kubelet does, until it passes. A pod that isn't ready is asked on, for half a minute here. */
async function passes({ container }: PodContainer, probe: string, internalPort: string): Promise<boolean> {
  const { httpGet, periodSeconds, failureThreshold } = container[probe];
  const times = probe === "readinessProbe" ? 30 / periodSeconds : failureThreshold;
  for (let failures = 0; failures < times; failures++) {
    const answer = await fetch(`http://127.0.0.1:${internalPort}${httpGet.path}`).catch(() => undefined);
    if (answer?.ok) return true;
    await sleep(periodSeconds * 1000);
  }
  return false;
}

/** Starts a container, and ends it with the test if it still runs. */
async function start(one: PodContainer, cluster: Cluster): Promise<RunningContainer> {
  const running = await run(one, cluster);
  let isOver = false;
  void running.ended.then(() => {
    isOver = true;
  });
  onTestFinished(() => {
    if (!isOver) process.kill(running.pid, "SIGKILL");
  });
  return running;
}

async function complete(one: PodContainer, cluster: Cluster): Promise<void> {
  const { ended, output } = await start(one, cluster);
  expect(await ended, output()).toBe(0);
}

/** Who the process is to the kernel, and where it may write. */
async function rights(pid: number) {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  const field = (name: string) => new RegExp(`^${name}:\\s+(\\S+)`, "m").exec(status)?.[1];
  const mounts = (await readFile(`/proc/${pid}/mountinfo`, "utf8")).trim().split("\n");
  const writable = mounts
    .map((line) => line.split(" "))
    .filter(([, , , , path = "", options = ""]) => !/^\/(proc|dev)\b/.test(path) && !options.startsWith("ro"));
  return {
    user: field("Uid"),
    capabilities: field("CapEff"),
    noNewRights: field("NoNewPrivs"),
    writable: writable.map(([, , , , path]) => path),
  };
}

test.skipIf(!HAS_KUBECTL || !CAN_RUN_CONTAINERS)(
  "every container starts as its manifest says, as a user without rights, and passes its probes",
  { timeout: 120_000 },
  async () => {
    const { url, drop } = await unmigratedDatabase(ADMIN_URL);
    onTestFinished(drop);
    const objects = (await Promise.all([render("example/first"), render("example/services")])).flat();
    const world: Cluster = { objects, secrets: await secrets(url), environment: { DRAIN_SECONDS: "1" } };
    const all = containers(objects);
    const named = (name: string) => all.find((one) => one.name === name) ?? expect.fail(`no container ${name}`);

    await complete(named("migrate"), world);

    const [port, internalPort] = [String(await freePort()), String(await freePort())];
    const JWKS_URL = named("resource-server").container.env.find(
      ({ name }: { name: string }) => name === "JWKS_URL",
    ).value;
    const services = [
      { name: "authorization-server", environment: { PORT: port, INTERNAL_PORT: internalPort } },
      {
        name: "resource-server",
        environment: {
          PORT: String(await freePort()),
          INTERNAL_PORT: String(await freePort()),
          JWKS_URL: JWKS_URL.replace(":3000/", `:${port}/`),
        },
      },
      { name: "notifier", environment: { INTERNAL_PORT: String(await freePort()) } },
    ];
    const ended = services.map(async ({ name, environment }) => {
      const one = named(name);
      const running = await start(one, { ...world, environment: { ...world.environment, ...environment } });
      const probed = await passes(one, "startupProbe", environment.INTERNAL_PORT);
      expect(probed && (await passes(one, "readinessProbe", environment.INTERNAL_PORT)), running.output()).toBe(true);
      expect(await passes(one, "livenessProbe", environment.INTERNAL_PORT)).toBe(true);
      expect(await rights(running.pid)).toEqual({
        user: "1000",
        capabilities: "0000000000000000",
        noNewRights: "1",
        writable: [],
      });
      return running;
    });
    const running = await Promise.all(ended);
    await Promise.all(["purge", "months-ahead"].map((name) => complete(named(name), world)));
    // What the operator's pod has is enough to ask about everything.
    const { pod, container, ...shell } = named("operator");
    const doctor = { ...shell, pod, container: { ...container, command: undefined, args: ["doctor", "--json"] } };
    const REPLICAS = services.map(({ environment }) => `http://127.0.0.1:${environment.INTERNAL_PORT}`).join(",");
    const asked = await start(doctor, { ...world, environment: { ...world.environment, REPLICAS } });
    await asked.ended;
    const findings: { check: string; found: string }[] = JSON.parse(asked.output());
    expect(findings).toHaveLength(12);
    expect(findings.filter(({ found }) => found.startsWith("could not ask"))).toEqual([]);

    for (const { pid } of running) process.kill(pid, "SIGTERM");
    expect(await Promise.all(running.map((one) => one.ended))).toEqual([0, 0, 0]);
  },
);
