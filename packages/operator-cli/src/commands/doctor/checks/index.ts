import type { Check } from "../check.ts";
import { auditMonths } from "./postgres/audit-months.ts";
import { cluster } from "./postgres/cluster.ts";
import { connectionLimit } from "./postgres/connection-limit.ts";
import { constraints } from "./postgres/constraints.ts";
import { durability } from "./postgres/durability.ts";
import { idleTransactions } from "./postgres/idle-transactions.ts";
import { indexes } from "./postgres/indexes.ts";
import { migrations } from "./postgres/migrations.ts";
import { oldSnapshots } from "./postgres/old-snapshots.ts";
import { postgresServer } from "./postgres/postgres-server.ts";
import { privileges } from "./postgres/privileges.ts";
import { retention } from "./postgres/retention.ts";
import { roleSettings } from "./postgres/role-settings.ts";
import { tableSettings } from "./postgres/table-settings.ts";
import { redis, resourceServerRedis } from "./redis/redis.ts";
import { clocks } from "./replicas/clocks.ts";
import { configuration } from "./replicas/configuration.ts";
import { keyAge } from "./replicas/key-age.ts";
import { replicaKeys } from "./replicas/replica-keys.ts";
import { replicas } from "./replicas/replicas.ts";
import { signingKeys } from "./replicas/signing-keys.ts";
import { versions } from "./replicas/versions.ts";

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
