import { randomBytes } from "node:crypto";
import { connectDatabase, derivedRolePassword, SERVICE_ROLES } from "@partner-connect/database";
import { containerEngine } from "@partner-connect/local-stack";

/** A Citus cluster with a database that has the extension and nothing else. */
export interface CitusStore {
  /** The coordinator, as the owner. */
  readonly url: string;
  /** The same database as each worker sees it. */
  readonly workers: readonly string[];
  stop(): Promise<void>;
}

export interface NoCitus {
  /** Why there is none. */
  readonly missing: string;
}

/** Postgres 18, as everywhere here: the tag without a suffix is of the newest Postgres that Citus takes. For amd64. */
const IMAGE = "citusdata/citus:14.1.0";
const NODES = ["coordinator", "worker-1", "worker-2"];
const DATABASE = "partner_connect";
const SETTINGS = {
  max_connections: "300",
  timezone: "UTC",
  fsync: "off",
  full_page_writes: "off",
  wal_level: "logical",
  "citus.shard_count": "8",
  "citus.node_conninfo": "sslmode=disable",
};
const LOCALE = "--locale=C --locale-provider=builtin --builtin-locale=C.UTF-8";

/** A coordinator and two workers, each in a container, in a network of their own. */
export async function startCitusContainers(): Promise<CitusStore | NoCitus> {
  if (!(await containerEngine()))
    return { missing: "no CITUS_URL, no program that starts one, and no container engine" };
  const { GenericContainer, Network, Wait } = await import("testcontainers");
  const password = randomBytes(18).toString("base64url");
  const stops: (() => Promise<unknown>)[] = [];
  const stop = async (): Promise<void> => {
    for (const end of stops.reverse()) await end();
  };
  try {
    const network = await new Network().start();
    stops.push(() => network.stop());
    const nodes = await Promise.all(
      NODES.map(async (name) => {
        const node = await new GenericContainer(IMAGE)
          .withNetwork(network)
          .withNetworkAliases(name)
          .withExposedPorts(5432)
          .withEnvironment({
            ...{ POSTGRES_PASSWORD: password, POSTGRES_DB: DATABASE, POSTGRES_INITDB_ARGS: LOCALE },
            PGPASSFILE: "/pgpass",
          })
          .withCopyContentToContainer([{ content: passwordFile(password), target: "/pgpass", mode: 0o600 }])
          .withEntrypoint(["sh", "-c", 'chown postgres /pgpass && exec docker-entrypoint.sh "$@"', "sh"])
          .withCommand(["postgres", ...Object.entries(SETTINGS).flatMap(([name, value]) => ["-c", `${name}=${value}`])])
          // Its scripts run on a server that it ends before it starts the one that stays.
          .withWaitStrategy(Wait.forLogMessage(/database system is ready to accept connections/, 2))
          .start();
        stops.push(() => node.stop());
        return `postgres://postgres:${password}@${node.getHost()}:${node.getMappedPort(5432)}/${DATABASE}`;
      }),
    );
    const [url = "", ...workers] = nodes;
    await join(url);
    return { url, workers, stop };
  } catch (error) {
    await stop();
    return { missing: `no container of ${IMAGE}: ${(error as Error).message.split("\n", 1)[0]}` };
  }
}

/** With it the nodes reach each other as the role that asks. */
function passwordFile(password: string): string {
  const roles = SERVICE_ROLES.map((role) => `*:*:*:${role}:${derivedRolePassword(password, role)}`);
  return `${[`*:*:*:postgres:${password}`, ...roles].join("\n")}\n`;
}

/** Makes the nodes one cluster. The image has made the extension. */
async function join(coordinator: string): Promise<void> {
  const sql = connectDatabase(coordinator, { name: "test", connections: 1 });
  try {
    const [first = "", ...others] = NODES;
    await sql`SELECT citus_set_coordinator_host(${first}, 5432)`;
    for (const name of others) await sql`SELECT citus_add_node(${name}, 5432)`;
  } finally {
    await sql.end();
  }
}
