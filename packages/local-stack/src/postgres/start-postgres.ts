import { startContainer } from "../containers/start-container.ts";
import { type StorePlace, startStore } from "../containers/start-store.ts";
import type { StackContext, SupervisedProcess } from "../processes/supervised-process.ts";
import { INITDB_FLAGS, postgresAnswers, postgresUrl, settings } from "./connection.ts";
import { startEmbeddedPostgres } from "./embedded-postgres.ts";

const IMAGE = "postgres:18";

export async function startPostgresStore(options: StorePlace, context: StackContext): Promise<SupervisedProcess> {
  const { dataDir, durable, password, port, log } = options;
  return await startStore({
    dataDir,
    store: "postgres",
    durable,
    context,
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
        context,
      ),
    onThisMachine: () => startEmbeddedPostgres(options, context),
  });
}
