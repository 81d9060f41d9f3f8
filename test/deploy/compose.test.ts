import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { BlockList } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";

interface Service {
  readonly image: string;
  readonly user?: string;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly secrets?: readonly (string | { readonly source: string; readonly target: string })[];
  readonly command?: readonly string[];
  readonly mem_limit?: string;
  readonly pids_limit?: number;
  readonly sysctls?: Readonly<Record<string, string>>;
  readonly stop_grace_period?: string;
  readonly networks?: readonly string[] | { readonly front: { readonly ipv4_address: string } };
  readonly logging?: { readonly driver: string; readonly options: Readonly<Record<string, string>> };
}

const ROOT = new URL("../../", import.meta.url);
const read = (name: string) => readFileSync(new URL(name, ROOT), "utf8");

interface Composition {
  readonly services: Readonly<Record<string, Service>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
  readonly networks: {
    readonly front: {
      readonly ipam: { readonly config: readonly { readonly subnet: string; readonly ip_range: string }[] };
    };
  };
}

/** docker-compose.yml with these variables, and its own defaults for the others. */
function composition(variables: Readonly<Record<string, string>>): Composition {
  const text = read("docker-compose.yml").replace(
    /\$\{(\w+):-([^}]*)\}/g,
    (_, name: string, fallback: string) => variables[name] || fallback,
  );
  return parse(text, { merge: true });
}

const example = Object.fromEntries(
  [...read("deploy/example.env").matchAll(/^(\w+)=(.*)$/gm)].map(([, name = "", value = ""]) => [name, value]),
);

/** Bytes, of `512mb` as Redis writes it or `512m` as Compose does. */
function bytes(size: string | undefined): number {
  const [, number, unit] = /^(\d+)([mg])b?$/.exec(size ?? "") ?? [];
  return Number(number) * (unit === "g" ? 1024 ** 3 : 1024 ** 2);
}

function flag(service: Service | undefined, name: string): string | undefined {
  return new RegExp(`--${name} (\\S+)`).exec(service?.command?.join(" ") ?? "")?.[1];
}

describe.each([
  ["its own defaults", {}],
  ["deploy/example.env", example],
])("docker-compose.yml with %s", (_, variables) => {
  const { services: all, secrets } = composition(variables);
  const redis = Object.entries(all).filter(([, { image }]) => /redis|valkey/.test(image));

  test("every container has a limit of memory and of processes", () => {
    const unlimited = Object.entries(all).filter(
      ([, service]) => !(bytes(service.mem_limit) > 0 && (service.pids_limit ?? 0) > 0),
    );
    expect(unlimited.map(([name]) => name)).toEqual([]);
  });

  test("no container runs as root, writes outside of its volumes, or can gain what it has not", () => {
    const loose = Object.entries(all).filter(
      ([, { user, read_only, cap_drop, security_opt }]) =>
        !user ||
        /^(root|0)\b/.test(user) ||
        !read_only ||
        `${cap_drop}` !== "ALL" ||
        !`${security_opt}`.includes("no-new"),
    );
    expect(loose.map(([name]) => name)).toEqual([]);
  });

  test("the gateway has what its end and its reload need: time, and waiting connections handed on", () => {
    const caddyfile = read("deploy/gateway/Caddyfile");
    const seconds = (name: string) => Number(new RegExp(`\\b${name} (\\d+)s$`, "m").exec(caddyfile)?.[1]);
    const { stop_grace_period = "", sysctls = {} } = all["gateway"] ?? {};
    expect(Number.parseInt(stop_grace_period, 10)).toBeGreaterThan(seconds("shutdown_delay") + seconds("grace_period"));
    expect(sysctls["net.ipv4.tcp_migrate_req"]).toBe("1");
  });

  test("the gateway's address is no other container's, however they start", () => {
    const { networks } = composition(variables);
    const [{ subnet = "", ip_range = "" } = {}] = networks.front.ipam.config;
    const gateway = all["gateway"]?.networks as { readonly front: { readonly ipv4_address: string } };
    const block = (range: string) => {
      const [address = "", bits] = range.split("/");
      const list = new BlockList();
      list.addSubnet(address, Number(bits));
      return list;
    };
    expect(block(subnet).check(gateway.front.ipv4_address)).toBe(true);
    expect(block(ip_range).check(gateway.front.ipv4_address)).toBe(false);
  });

  test("no password is in an environment or on a command line, and every file that is named is mounted", () => {
    for (const [name, { environment = {}, command = [], secrets: own = [] }] of Object.entries(all)) {
      const mounted = own.map((secret) => (typeof secret === "string" ? secret : secret.target));
      const sources = own.map((secret) => (typeof secret === "string" ? secret : secret.source));
      expect([name, sources.filter((source) => !(source in secrets))]).toEqual([name, []]);
      const named = [...`${command.join(" ")} ${Object.values(environment)}`.matchAll(/\/run\/secrets\/(\w+)/g)];
      expect([name, named.map(([, file]) => file).filter((file) => !mounted.includes(file ?? ""))]).toEqual([name, []]);
      const secretive = Object.keys(environment).filter((variable) => /PASSWORD|SECRET|AUTH$/.test(variable));
      expect([name, secretive.filter((variable) => !variable.endsWith("_FILE"))]).toEqual([name, []]);
      expect([name, Object.values(environment).filter((value) => /:\/\/[^/]*:[^/]*@/.test(`${value}`))]).toEqual([
        name,
        [],
      ]);
    }
  });

  test("what runs for long keeps hours of its log, compressed: 500 bytes a request, a thousand a second", () => {
    const hours = Object.entries(all).flatMap(([name, { logging }]) => {
      if (!logging) return [];
      const { "max-size": size, "max-file": files, compress } = logging.options;
      expect([name, logging.driver, compress]).toEqual([name, "json-file", "true"]);
      return [(bytes(size) * Number(files)) / (500 * 1000 * 3600)];
    });
    expect(hours.length).toBeGreaterThan(6);
    expect(Math.min(...hours)).toBeGreaterThan(2);
  });

  test("only Postgres and what makes its owner have the superuser's password", () => {
    const having = (secret: string) => Object.keys(all).filter((name) => all[name]?.secrets?.includes(secret));
    expect(having("postgres_password").sort()).toEqual(["owner", "postgres"]);
    expect(all["operator"]?.environment?.["DATABASE_URL"]).toMatch(/^postgres:\/\/partner_connect@/);
  });

  test("what must not be lost is never thrown away for room; what may be lost makes room", () => {
    expect(redis.map(([name, service]) => [name, flag(service, "maxmemory-policy")])).toEqual([
      ["redis", "noeviction"],
      ["resource-server-redis", "allkeys-lru"],
    ]);
  });

  test("every Redis is full before its container is, with room for the copy that it writes to disk", () => {
    const rooms = redis.map(([, service]) => bytes(service.mem_limit) - 2 * bytes(flag(service, "maxmemory")));
    expect(rooms.map((room) => room >= 64 * 1024 ** 2)).toEqual([true, true]);
  });
});

test("deploy/make-secrets makes every file that docker-compose.yml mounts, keeps what is there, and takes what is given", async () => {
  const folder = join(await mkdtemp(join(tmpdir(), "partner-connect-secrets-")), "new");
  onTestFinished(() => rm(join(folder, ".."), { recursive: true }));
  const env = { PATH: process.env["PATH"], SECRETS_DIR: folder, POSTGRES_PASSWORD: "given before" };
  const made = () => readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "utf8")]);
  execFileSync(fileURLToPath(new URL("deploy/make-secrets", ROOT)), { env });
  const files = made();
  expect(files.map(([name]) => join(folder, name ?? "")).sort()).toEqual(
    Object.values(composition({ SECRETS_DIR: folder }).secrets)
      .map(({ file }) => file)
      .sort(),
  );
  expect(new Set(files.map(([, text]) => text)).size).toBe(files.length);
  for (const [name, text] of files)
    expect(text).toMatch(name === "postgres_password" ? /^given before\n$/ : /^[0-9a-f]{64}\n$/);
  expect(statSync(folder).mode & 0o077).toBe(0);
  execFileSync(fileURLToPath(new URL("deploy/make-secrets", ROOT)), { env: { ...env, POSTGRES_PASSWORD: "another" } });
  expect(made()).toEqual(files);
});

describe("deploy/roll", () => {
  /** Its calls of a docker that can't make `broken` healthy, and its exit code. */
  async function roll(words: readonly string[], broken = "") {
    const folder = await mkdtemp(join(tmpdir(), "partner-connect-roll-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const docker = join(folder, "docker");
    writeFileSync(
      docker,
      `#!/bin/sh\necho "$@" >>"${folder}/calls"\ncase "$*" in *${broken || "nothing"}) exit 1;; esac\n`,
    );
    chmodSync(docker, 0o755);
    const env = { PATH: `${folder}:${process.env["PATH"]}` };
    const { status } = spawnSync(fileURLToPath(new URL("deploy/roll", ROOT)), words, { env });
    return { status, calls: readFileSync(join(folder, "calls"), "utf8").trim().split("\n") };
  }
  const up = (name: string) => `compose up --detach --no-deps --force-recreate --wait ${name}`;
  const replicas = Object.keys(composition({}).services).filter((name) => /-\d+$/.test(name));

  test("replaces every replica of each service, one at a time", async () => {
    expect(replicas).toHaveLength(6);
    expect(await roll([])).toEqual({ status: 0, calls: replicas.map(up) });
    expect(await roll(["resource-server-2"])).toEqual({ status: 0, calls: [up("resource-server-2")] });
  });

  test("touches no other one when a replica does not become healthy", async () => {
    const { status, calls } = await roll([], "authorization-server-2");
    expect([status, calls]).toEqual([1, [up("authorization-server-1"), up("authorization-server-2")]]);
  });
});

test("deploy/example.env names every limit that docker-compose.yml takes", () => {
  const names = [...read("docker-compose.yml").matchAll(/\$\{(\w+(?:_MEMORY|_MAXMEMORY)):-/g)].map(([, name]) => name);
  expect(names.length).toBeGreaterThan(0);
  expect(names.filter((name) => !((name ?? "") in example))).toEqual([]);
});

test("the gateway's image has every file that the Caddyfile imports", () => {
  const files = readdirSync(new URL("deploy/gateway", ROOT));
  const imported = [...read("deploy/gateway/Caddyfile").matchAll(/^import (\S+\.caddyfile)$/gm)].map(
    ([, name]) => name,
  );
  expect(imported).toEqual(["page.caddyfile"]);
  expect(files).toEqual(expect.arrayContaining(["Caddyfile", ...imported]));
  expect(read("deploy/Dockerfile")).toContain("\nCOPY deploy/gateway /etc/caddy\n");
});
