import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { BlockList, isIPv6 } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "@partner-connect/service-runtime/testing";
import { expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";

// biome-ignore lint/suspicious/noExplicitAny: Compose checks the file's schema
type Service = any;
interface Composition extends Record<"secrets" | "networks", Service> {
  readonly services: Readonly<Record<string, Service>>;
}

const ROOT = new URL("../../", import.meta.url);
const read = (name: string) => readFileSync(new URL(name, ROOT), "utf8");

/** docker-compose.yml with these variables, and its own defaults for the others. */
function composition(variables: Readonly<Record<string, string>> = {}): Composition {
  let [text, before] = [read("docker-compose.yml"), ""];
  while (text !== before) {
    before = text;
    text = text.replace(
      /(?<!\$)\$\{(\w+):([-+])([^${}]*)\}/g,
      (_, name: string, how: string, other: string) =>
        how === "-" ? variables[name] || other : variables[name] ? other : "",
    );
  }
  return parse(text, { merge: true });
}

const example = Object.fromEntries(
  [...read("deploy/example.env").matchAll(/^(\w+)=(.*)$/gm)].map(([, name = "", value = ""]) => [
    name,
    value,
  ]),
);
const { services, secrets, networks } = composition({
  ...example,
  MAIL_FROM: "a@mail.example",
  OIDC_ISSUER: "https://id.example",
});
const all = Object.entries(services);
const ours = all.filter(([, { image }]) => image.startsWith("localhost/partner-connect/"));

/** The bytes in `512mb`, as Redis writes it, or in `512m`, as Compose does. */
function bytes(size: string | undefined): number {
  const [, number, unit] = /^(\d+)([mg])b?$/.exec(size ?? "") ?? [];
  return Number(number) * (unit === "g" ? 1024 ** 3 : 1024 ** 2);
}

test("every container has memory and process limits, no privileges and a read-only file system", () => {
  for (const [name, service] of all) {
    expect(service, name).toMatchObject({
      read_only: true,
      cap_drop: ["ALL"],
      security_opt: ["no-new-privileges:true"],
    });
    expect(service.user, name).toMatch(/^(?!root\b|0\b)\w/);
    expect(Math.min(bytes(service.mem_limit), service.pids_limit ?? 0), name).toBeGreaterThan(0);
  }
});

test("the project's images are pulled from a registry only for a release", () => {
  for (const [name, { build, pull_policy }] of ours)
    expect([name, pull_policy]).toEqual([name, build ? undefined : "never"]);
  const released = composition({ IMAGES: "registry.example/pc", RELEASE: "1.2.0" }).services;
  expect(released["worker"]?.image).toBe("registry.example/pc/worker:1.2.0");
});

test("the services wait for `setup` and read .env", () => {
  const others = (...names: string[]) =>
    ours.map(([name]) => name).filter((name) => !names.includes(name));
  const after = all.filter(([, { depends_on = {} }]) => "setup" in depends_on);
  expect(after.map(([name]) => name)).toEqual(others("gateway", "operator", "setup"));
  const told = ours.filter(([, { env_file = [] }]) =>
    env_file.some(({ path }: { path: string }) => path === ".env"),
  );
  expect(told.map(([name]) => name)).toEqual(others("gateway"));
});

test("the operator's container depends on no service and acts as the host's user", () => {
  const { depends_on, environment } = services["operator"];
  const other = composition({ USER: "anna" }).services["operator"].environment;
  const actors = [environment, other].map((of) => of.PARTNER_CONNECT_OPERATOR);
  expect([depends_on, ...actors]).toEqual([undefined, "operator", "anna"]);
});

test("besides the gateway, only the worker can connect to other machines", () => {
  const on = (network: string) =>
    all
      .filter(([, one]) =>
        Array.isArray(one.networks) ? one.networks.includes(network) : network in one.networks,
      )
      .map(([name]) => name);
  expect([networks.stores.internal, networks.product.internal, on("product")]).toEqual([
    true,
    true,
    ["back-office"],
  ]);
  expect(on("outward")).toEqual(["worker"]);
  expect([services["back-office"]?.networks, services["back-office"]?.secrets]).toEqual([
    ["stores", "product"],
    ["back_office_db_password"],
  ]);
  expect(
    on("front").filter((name) => !/^(gateway|(authorization|resource)-server-\d)$/.test(name)),
  ).toEqual([]);
});

test("with deploy/other-postgres.yml every service keeps its database role and can reach other machines", () => {
  const others = Object.entries<Service>(parse(read("deploy/other-postgres.yml")).services);
  const usersOf = (list: typeof others) =>
    list
      .map(([name, { environment }]) => [name, environment?.DATABASE_URL?.split("@")[0]])
      .filter(([, user]) => user)
      .sort();
  expect(usersOf(others)).toEqual(usersOf(all));
  const inside = others.filter(([name, { networks: added = [] }]) =>
    [...services[name].networks, ...added].every((network) => networks[network]?.internal),
  );
  expect(inside).toEqual([]);
});

test("the gateway's stop period outlasts Caddy's, and the kernel passes waiting connections to the next process", () => {
  const { stop_grace_period, sysctls } = services["gateway"];
  const caddyfile = read("deploy/gateway/Caddyfile");
  const seconds = (name: string) =>
    Number(new RegExp(`\\b${name} (\\d+)s$`, "m").exec(caddyfile)?.[1]);
  expect(Number.parseInt(stop_grace_period, 10)).toBeGreaterThan(
    seconds("shutdown_delay") + seconds("grace_period"),
  );
  expect(sysctls["net.ipv4.tcp_migrate_req"]).toBe("1");
});

test("the services trust only the gateway's addresses, which no other container gets", () => {
  expect(networks.front.enable_ipv6).toBe(true);
  const { ipv4_address, ipv6_address } = services["gateway"].networks.front;
  const addresses: string[] = [ipv4_address, ipv6_address];
  for (const [index, address] of addresses.entries()) {
    const family = isIPv6(address) ? "ipv6" : "ipv4";
    const holds = (range: string) => {
      const [network = "", bits] = range.split("/");
      const list = new BlockList();
      list.addSubnet(network, Number(bits), family);
      return list.check(address, family);
    };
    const { subnet, ip_range } = networks.front.ipam.config[index];
    expect([address, holds(subnet), holds(ip_range)]).toEqual([address, true, false]);
  }
  const trusted = `${ipv4_address}/32 ${ipv6_address}/128`;
  for (const name of ["authorization-server-1", "resource-server-2"])
    expect(services[name].environment["TRUSTED_PROXIES"]).toBe(trusted);
});

test("a container has no secret in its environment, and every secret file that it names is mounted", () => {
  for (const [name, service] of all) {
    const { environment = {}, command = [], entrypoint = [], secrets: own = [] } = service;
    const mounted = own.map((secret: Service) => secret.target ?? secret);
    const sources = own.map((secret: Service) => secret.source ?? secret);
    expect([name, sources.filter((source: string) => !(source in secrets))]).toEqual([name, []]);
    const named = `${command} ${entrypoint} ${Object.values(environment)}`.matchAll(
      /\/run\/secrets\/(\w+)/g,
    );
    expect([
      name,
      [...named].map(([, file]) => file).filter((file) => !mounted.includes(file ?? "")),
    ]).toEqual([name, []]);
    const secretive = Object.keys(environment).filter((variable) =>
      /PASSWORD|SECRET|AUTH$|SMTP_URL|_KEY$/.test(variable),
    );
    expect([name, secretive.filter((variable) => !variable.endsWith("_FILE"))]).toEqual([name, []]);
    expect([
      name,
      Object.values(environment).filter((value) => /:\/\/[^/]*:[^/]*@/.test(`${value}`)),
    ]).toEqual([name, []]);
  }
  expect(services["worker"]?.environment?.["SMTP_URL_FILE"]).toBe("/run/secrets/smtp_url");
  expect(example).not.toHaveProperty("SMTP_URL");
  expect(services["operator"]?.environment?.["DATABASE_URL"]).toMatch(
    /^postgres:\/\/partner_connect@/,
  );
});

test.each([
  ["docker-compose.yml's defaults", {}],
  ["deploy/example.env", example],
])(
  "with %s, each Redis stays below its container's memory limit, and only resource-server-redis evicts keys",
  (_, variables) => {
    const redis = Object.entries(composition(variables).services).filter(([, { image }]) =>
      /valkey/.test(image),
    );
    const flag = ({ command }: Service, name: string) =>
      new RegExp(`--${name} (\\S+)`).exec(`${command}`)?.[1];
    expect(redis.map(([name, service]) => [name, flag(service, "maxmemory-policy")])).toEqual([
      ["redis", "noeviction"],
      ["resource-server-redis", "allkeys-lru"],
    ]);
    // Twice the data, because Redis may copy it while writing it to disk.
    for (const [, service] of redis) {
      expect(
        bytes(service.mem_limit) - 2 * bytes(flag(service, "maxmemory")),
      ).toBeGreaterThanOrEqual(64 * 1024 ** 2);
    }
  },
);

test("deploy/make-secrets creates every missing secret file of docker-compose.yml, with a given or a random value", async () => {
  const folder = join(temporaryFolder(onTestFinished), "new");
  const env = { PATH: process.env["PATH"], SECRETS_DIR: folder, WEBHOOK_KEY: "given before" };
  const made = () =>
    Object.fromEntries(
      readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "utf8")]),
    );
  const make = (more = {}) =>
    execFileSync(fileURLToPath(new URL("deploy/make-secrets", ROOT)), { env: { ...env, ...more } });
  make();
  const files = made();
  const mounted = Object.values<Service>(composition({ SECRETS_DIR: folder }).secrets).map(
    ({ file }) => file,
  );
  expect(Object.keys(files).map((name) => join(folder, name))).toEqual(mounted.sort());
  const { webhook_key, oidc_client_secret, smtp_url, ...random } = files;
  // The last two come from elsewhere.
  expect([webhook_key, oidc_client_secret, smtp_url]).toEqual(["given before", "", ""]);
  for (const text of Object.values(random)) expect(text).toMatch(/^[0-9a-f]{64}$/);
  expect(new Set(Object.values(random)).size).toBe(Object.keys(random).length);
  expect(statSync(folder).mode & 0o077).toBe(0);
  make({ WEBHOOK_KEY: "another", SMTP_URL: "smtps://a:b@mail.example" });
  expect(made()).toEqual({ ...files, smtp_url: "smtps://a:b@mail.example" });
});

test("restore-backup.sh restores a copy for its owner only, and its restore_command stops at a broken WAL file", () => {
  const folder = temporaryFolder(onTestFinished);
  const copy = join(folder, "base/20260301T034700Z");
  mkdirSync(copy, { recursive: true });
  writeFileSync(join(copy, "backup_label"), "");
  execFileSync("tar", ["-czf", join(copy, "base.tar.gz"), "-C", copy, "backup_label"]);
  const env = { PATH: process.env["PATH"], PGDATA: join(folder, "18/docker") };
  const script = fileURLToPath(new URL("deploy/operations/restore-backup.sh", ROOT));
  execFileSync(script, [folder, "20260301T034700Z"], { env });
  expect(readdirSync(env.PGDATA)).toContain("recovery.signal");
  expect(statSync(env.PGDATA).mode & 0o777).toBe(0o700);
  mkdirSync(join(folder, "wal"));
  writeFileSync(join(folder, "wal/broken"), "x");
  const settings = readFileSync(join(env.PGDATA, "postgresql.auto.conf"), "utf8");
  const [, command = ""] = /^restore_command = '(.+)'$/m.exec(settings) ?? [];
  const restore = (name: string) =>
    spawnSync("sh", ["-c", command.replaceAll("%f", name).replace("%p", join(folder, name))]);
  expect([restore("missing").status, restore("broken").status]).toEqual([1, 255]);
  expect(readdirSync(folder)).not.toContain("missing");
});

/** Runs deploy/roll with a docker that fails at `broken`; returns changing calls and exit code. */
async function roll(words: readonly string[], broken = "") {
  const folder = temporaryFolder(onTestFinished);
  const docker = join(folder, "docker");
  const list = `*--services) echo '${Object.keys(services).join("\n")}'; exit;;`;
  writeFileSync(
    docker,
    `#!/bin/sh\ncase "$*" in ${list} esac\necho "$@" >>"${folder}/calls"\ncase "$*" in *${broken || "nothing"}) exit 1;; esac\n`,
  );
  chmodSync(docker, 0o755);
  const env = { PATH: `${folder}:${process.env["PATH"]}` };
  const { status } = spawnSync(fileURLToPath(new URL("deploy/roll", ROOT)), words, { env });
  return { status, calls: readFileSync(join(folder, "calls"), "utf8").trim().split("\n") };
}
const setup = "compose run --rm -T setup";
const up = (name: string) => `compose up --detach --no-build --force-recreate --wait ${name}`;

test("deploy/roll replaces our containers one at a time, after a migration unless --back is given", async () => {
  const {
    status,
    calls: [first, ...calls],
  } = await roll([]);
  const running = ours.filter(([, { restart }]) => restart).map(([name]) => name);
  expect([status, first, calls.toSorted()]).toEqual([0, setup, running.map(up).sort()]);
  expect(calls.at(-1)).toBe(up("gateway"));
  expect(await roll(["resource-server-2"])).toEqual({
    status: 0,
    calls: [setup, up("resource-server-2")],
  });
  const alone = calls.map((call) => call.replace("--wait", "--wait --no-deps"));
  expect(await roll(["--back"])).toEqual({ status: 0, calls: alone });
});

test("deploy/roll stops at the first container that doesn't become healthy, and at a failed migration", async () => {
  const { status, calls } = await roll([], "authorization-server-2");
  expect([status, calls]).toEqual([
    1,
    [setup, up("authorization-server-1"), up("authorization-server-2")],
  ]);
  expect(await roll([], "setup")).toEqual({ status: 1, calls: [setup] });
});
