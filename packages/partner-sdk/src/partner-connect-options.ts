import type { Clock } from "./clock.ts";
import type { ConnectionStore } from "./stores/connection-store.ts";

export interface PartnerConnectOptions {
  /** The address that you were given. https, or http on this machine. */
  readonly baseUrl: string;
  /** Where the API is called: `baseUrl` unless you were given an API hostname. */
  readonly apiUrl?: string;
  /** What `iss` must be: `baseUrl`, unless you were given the auth hostname as your `baseUrl`. */
  readonly issuer?: string;
  /** As you were given it: `client_…`. */
  readonly clientId: string;
  /** `pcs_…`, from your configuration of secrets. */
  readonly clientSecret: string;
  /** Where your connections are: `new SqliteStore("connections.db")`, or a table of yours. */
  readonly store: ConnectionStore;
  /** Token calls a minute that all processes behind one address of yours share. Default: 10. Leave room where several do. */
  readonly tokenCallsPerMinute?: number;
  /** Who would have to wait longer for a turn gets `TokenLimitReached` at once. Default: 60. */
  readonly tokenWaitSeconds?: number;
  /** For a proxy, or to log calls. Default: the runtime's. */
  readonly fetch?: typeof globalThis.fetch;
  /** For tests. Default: `systemClock`. */
  readonly clock?: Clock;
}
