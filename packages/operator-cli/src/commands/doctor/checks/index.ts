import type { Check } from "../check.ts";
import { cluster } from "./postgres/cluster.ts";
import { privileges } from "./postgres/privileges.ts";
import { auditMonths, retention } from "./postgres/retention.ts";
import { constraints, indexes, migrations, roleSettings, tableSettings } from "./postgres/schema.ts";
import { connectionLimit, durability, postgresServer } from "./postgres/server.ts";
import { idleTransactions, oldSnapshots } from "./postgres/sessions.ts";
import { redis, resourceServerRedis } from "./redis/redis.ts";
import { clocks } from "./replicas/clocks.ts";
import { keyAge, replicaKeys, signingKeys } from "./replicas/keys.ts";
import { configuration, replicas, versions } from "./replicas/replicas.ts";

/** In the order in which they are told: first what others depend on. */
export const CHECKS: readonly Check[] = [
  configuration,
  postgresServer,
  cluster,
  migrations,
  indexes,
  constraints,
  durability,
  connectionLimit,
  idleTransactions,
  oldSnapshots,
  tableSettings,
  privileges,
  roleSettings,
  auditMonths,
  retention,
  redis,
  resourceServerRedis,
  signingKeys,
  keyAge,
  replicas,
  versions,
  replicaKeys,
  clocks,
];
