import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { parseDatabaseUrl } from "./address/database-url.ts";
import { distribute } from "./citus/distribute.ts";
import { closeTemplate, joinNodes } from "./citus/testing.ts";
import { migrate } from "./migrate/migrate.ts";
import { connectDatabase } from "./pool/connect.ts";
import type { Sql } from "./pool/sql.ts";
import {
  derivedRolePassword,
  derivedRolePasswords,
  roleUrl,
  type ServiceRole,
} from "./roles/role-password.ts";
import {
  createDatabase,
  dropDatabase,
  inDatabase,
  type Nodes,
  nodesOf,
  withDatabase,
} from "./testing/nodes.ts";

export { requireOneShard, waitingSessions } from "./citus/testing.ts";
export {
  createDatabase,
  dropDatabase,
  inDatabase,
  nodesOf,
  withDatabase,
} from "./testing/nodes.ts";

/** Templates that test files copy: a migrated one and, on a cluster, one without our tables. */
const TEMPLATE = "partner_connect_template";
const UNMIGRATED_TEMPLATE = "partner_connect_unmigrated";

export type TestDatabase = Awaited<ReturnType<typeof freshDatabase>>;

/** Makes the templates on each node, before their first use. @param afterwards as in `migrate` */
export async function createTestTemplates(
  adminUrl: string,
  afterwards: (sql: Sql) => Promise<void>,
): Promise<void> {
  const passwords = derivedRolePasswords(parseDatabaseUrl(adminUrl).password);
  const nodes = nodesOf(adminUrl);
  const url = inDatabase(adminUrl, TEMPLATE);
  if (nodes.workers.length === 0) {
    await withDatabase(adminUrl, setHostileDefaults);
    await createDatabase(nodes, TEMPLATE);
    await migrate(url, { passwords, afterwards });
    return;
  }
  // An earlier run may have left templates.
  for (const name of [TEMPLATE, UNMIGRATED_TEMPLATE]) await dropDatabase(nodes, name);
  await createDatabase(nodes, UNMIGRATED_TEMPLATE);
  await joinNodes(nodes, UNMIGRATED_TEMPLATE);
  await closeTemplate(nodes, UNMIGRATED_TEMPLATE);
  await createDatabase(nodes, TEMPLATE, UNMIGRATED_TEMPLATE);
  await migrate(url, { passwords, afterwards });
  await distribute(url, { patience: PATIENCE, afterwards });
  await closeTemplate(nodes, TEMPLATE);
}

/** Defaults of the run's server that would break sessions that don't set their own. */
const HOSTILE_DEFAULTS = {
  array_nulls: "off",
  bytea_output: "escape",
  datestyle: "German, DMY",
  default_transaction_isolation: "serializable",
  extra_float_digits: "-15",
  intervalstyle: "sql_standard",
  lock_timeout: "1ms",
  quote_all_identifiers: "on",
  search_path: "nowhere",
  standard_conforming_strings: "off",
  timezone: "Asia/Kathmandu",
  transform_null_equals: "on",
};

async function setHostileDefaults(sql: Sql): Promise<void> {
  for (const [name, value] of Object.entries(HOSTILE_DEFAULTS)) {
    await sql.unsafe(`ALTER SYSTEM SET ${name} = ${name === "datestyle" ? value : `'${value}'`}`);
  }
  await sql`SELECT pg_reload_conf()`;
}

/** Milliseconds to wait for locks, although only Citus's own process uses the database. */
const PATIENCE = 10_000;

/** A database without our tables in the run's stores, for tests that migrate it themselves. */
export async function unmigratedDatabase(adminUrl: string | undefined) {
  const nodes = nodesOf(required(adminUrl));
  return await newDatabase(nodes, nodes.workers.length > 0 ? UNMIGRATED_TEMPLATE : undefined);
}

/** A separate, migrated, empty database on the run's server or cluster. `drop` it at the end. */
export async function freshDatabase(adminUrl: string | undefined) {
  const { url, workers, drop } = await newDatabase(nodesOf(required(adminUrl)), TEMPLATE);
  const { password } = parseDatabaseUrl(url);
  const as = (role: ServiceRole) => roleUrl(url, role, derivedRolePassword(password, role));
  return {
    /** The owner's URL; the others are of the services' roles. */
    url,
    authorizationServerUrl: as("authorization_server"),
    resourceServerUrl: as("resource_server"),
    workerUrl: as("worker"),
    backOfficeUrl: as("back_office"),
    /** The owner's URLs of the same database at each worker of a cluster. Empty on one Postgres. */
    workers,
    drop,
  };
}

/** A pool for each node (or the one Postgres), to race changes through all. `end` closes them. */
export function connectNodes({ url, workers }: Pick<TestDatabase, "url" | "workers">) {
  const pools = [url, ...workers].map((node) =>
    connectDatabase(node, { name: "nodes-test", connections: 8 }),
  );
  return {
    through: (number: number): Sql => pools[number % pools.length] as Sql,
    end: async () => void (await Promise.all(pools.map((pool) => pool.end()))),
  };
}

async function newDatabase(nodes: Nodes, template: string | undefined) {
  const name = `test_${randomBytes(8).toString("hex")}`;
  await createDatabase(nodes, name, template);
  return {
    url: inDatabase(nodes.first, name),
    workers: nodes.workers.map((url) => inDatabase(url, name)),
    drop: () => dropDatabase(nodes, name),
  };
}

function required(adminUrl: string | undefined): string {
  if (!adminUrl) throw new Error("TEST_DATABASE_URL is not set: run the tests with `pnpm test`");
  return adminUrl;
}

/** The plans of the statements of `work` that match `first`, each of which returns an empty row. */
export async function plansOf(sql: Sql, first: RegExp, work: (sql: Sql) => Promise<unknown>) {
  const plans: string[] = [];
  const explaining = new Proxy(sql, {
    apply: (target, _, given: [TemplateStringsArray, ...unknown[]]) => {
      const [strings, ...values] = given;
      if (!first.test(strings[0] ?? "")) return Reflect.apply(target, undefined, given);
      const explained = [`EXPLAIN (ANALYZE, TIMING OFF) ${strings[0]}`, ...strings.slice(1)];
      const asked = Reflect.apply(target, undefined, [
        Object.assign(explained, { raw: strings.raw }),
        ...values,
      ]);
      return asked.then((rows: Record<string, string>[]) => {
        plans.push(rows.map((row) => row["QUERY PLAN"]).join("\n"));
        return [{}];
      });
    },
  });
  await work(explaining);
  return plans;
}

const EC_KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];
const PEM = /-----BEGIN ([A-Z ]+)-----[\s\S]+?-----END \1-----\n/g;

/** A self-signed certificate for one day, for DNS names and IPv4 addresses, in PEM. */
export function selfSigned(names: readonly string[]): {
  readonly certificate: string;
  readonly key: string;
} {
  const alternatives = names
    .map((name) => `${/^[\d.]+$/.test(name) ? "IP" : "DNS"}:${name}`)
    .join();
  const subject = ["-subj", `/CN=${names[0]}`, "-addext", `subjectAltName=${alternatives}`];
  const args = ["req", "-x509", ...EC_KEY, ...subject, "-days", "1", "-keyout", "-", "-out", "-"];
  const parts = execFileSync("openssl", args, {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  }).match(PEM);
  const [key = "", certificate = ""] = parts ?? [];
  return { certificate, key };
}
