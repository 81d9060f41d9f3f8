import { startByChoice } from "../containers/choose-engine.ts";
import { startContainer } from "../containers/start-container.ts";
import type { Part, Watch } from "../processes/part.ts";
import { postgresAnswers, postgresUrl } from "./connection.ts";
import { type PostgresOptions, startEmbeddedPostgres } from "./embedded-postgres.ts";
import { INITDB_FLAGS, settings } from "./settings.ts";

const IMAGE = "postgres:18";

/** Postgres with an empty cluster, or with the one that DATA_DIR has. */
export async function startPostgresPart(options: PostgresOptions, watch: Watch): Promise<Part> {
  const { dataDir, durable, password, port, log } = options;
  return await startByChoice({
    dataDir,
    store: "postgres",
    durable,
    watch,
    inContainer: (engine, volume) =>
      startContainer(
        engine,
        {
          name: "postgres",
          image: IMAGE,
          port: 5432,
          hostPort: port,
          env: { POSTGRES_PASSWORD: password, POSTGRES_INITDB_ARGS: INITDB_FLAGS.join(" ") },
          command: ["postgres", ...settings({ durable })],
          volume: volume === null ? null : { name: volume, target: "/var/lib/postgresql" },
          log,
          url: (host) => postgresUrl(host, port, password),
          serves: postgresAnswers,
        },
        watch,
      ),
    onThisMachine: () => startEmbeddedPostgres(options, watch),
  });
}
