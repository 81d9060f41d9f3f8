import type { Check } from "../system.ts";
import { privileges } from "./postgres/privileges.ts";
import { auditMonths, retention } from "./postgres/retention.ts";
import { constraints, indexes, migrations, roleSettings, tableSettings, triggers } from "./postgres/schema.ts";
import {
  archive,
  cluster,
  connectionLimit,
  durability,
  idleTransactions,
  oldSnapshots,
  postgresServer,
  standbys,
} from "./postgres/server.ts";
import { redis, resourceServerRedis } from "./redis/redis.ts";
import { helpLink } from "./replicas/help-link.ts";
import { keyAge, replicaKeys, signingKeys } from "./replicas/keys.ts";
import { mail } from "./replicas/mail.ts";
import { relay } from "./replicas/relay.ts";
import { clocks, configuration, replicas, versions } from "./replicas/replicas.ts";

/** By their names, which are stable, in the order in which they are told: first what others depend on. */
export const CHECKS: Readonly<Record<string, Check>> = {
  configuration,
  postgres: postgresServer,
  cluster,
  migrations,
  indexes,
  constraints,
  triggers,
  "postgres-durability": durability,
  "postgres-standbys": standbys,
  "postgres-archive": archive,
  "postgres-connections": connectionLimit,
  "postgres-transactions": idleTransactions,
  "postgres-snapshots": oldSnapshots,
  "table-settings": tableSettings,
  roles: privileges,
  "role-settings": roleSettings,
  "audit-months": auditMonths,
  retention,
  redis,
  "resource-server-redis": resourceServerRedis,
  "signing-keys": signingKeys,
  "key-age": keyAge,
  replicas,
  relay,
  mail,
  "help-link": helpLink,
  versions,
  "replica-keys": replicaKeys,
  clocks,
};
