/** What the sizes are worked out from; deploy/operations/scaling.md shows them. Measured by `pnpm bench sizes`, `mix` and `refresh`. */
export const BYTES = {
  /** In Postgres, with its indexes. */
  response: 2399,
  /** In Postgres, with its index: the row alone, as it was approved and exchanged. */
  connection: 693,
  /** The two records of the audit log that a new connection leaves, with their indexes. */
  auditOfConnection: 2432,
  /** In the authorization server's Redis: the hot half of its refresh token. */
  connectionInRedis: 333,
} as const;

/** Milliseconds of CPU that a call takes with eight callers at once, which is what a few partners make. */
export const CPU_MS = {
  refresh: { service: 0.27, postgres: 0.118, redis: 0.07 },
  page: { service: 0.342, postgres: 0.265, redis: 0.024 },
} as const;

/** The same on a Citus cluster, where another worker than the asked one has the shop (cluster.md, 'Costs', by 64 callers). */
export const CITUS_CPU_MS = {
  refresh: { ...CPU_MS.refresh, postgres: 0.19 },
  page: { ...CPU_MS.page, service: 0.35, postgres: 1.07 },
} as const;

/** As each service opens them: main.ts of services/authorization-server and services/notifier, services/resource-server/src/stores. */
export const POSTGRES_CONNECTIONS = { authorizationServer: 3, resourceServer: 7, notifier: 5 } as const;

/** One relays, the other takes its place. */
export const NOTIFIERS = 2;

/** As the services have them by default. */
export const TOKEN_CALLS_A_MINUTE = 10;
export const ACCESS_TOKEN_SECONDS = 900;
