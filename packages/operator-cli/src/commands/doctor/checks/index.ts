import type { Check } from "../check.ts";
import { auditMonths } from "./audit-months.ts";
import { clocks } from "./clocks.ts";
import { cluster } from "./cluster.ts";
import { configuration } from "./configuration.ts";
import { connectionLimit } from "./connection-limit.ts";
import { constraints } from "./constraints.ts";
import { durability } from "./durability.ts";
import { idleTransactions } from "./idle-transactions.ts";
import { indexes } from "./indexes.ts";
import { keyAge } from "./key-age.ts";
import { migrations } from "./migrations.ts";
import { oldSnapshots } from "./old-snapshots.ts";
import { postgresServer } from "./postgres-server.ts";
import { privileges } from "./privileges.ts";
import { redis, resourceServerRedis } from "./redis.ts";
import { replicaKeys } from "./replica-keys.ts";
import { replicas } from "./replicas.ts";
import { retention } from "./retention.ts";
import { roleSettings } from "./role-settings.ts";
import { signingKeys } from "./signing-keys.ts";
import { tableSettings } from "./table-settings.ts";
import { versions } from "./versions.ts";

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
