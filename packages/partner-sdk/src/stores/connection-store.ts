/** A shop as it was when it was connected. Its name and plan may change: `shop.connection()` has them as they are now. */
export interface ConnectedShop {
  readonly id: string;
  readonly name: string;
  readonly domain: string | null;
  readonly plan: string;
}

/** A connection as the store keeps it. Plain JSON. `refreshToken` opens the shop's data: keep it as you keep passwords, and out of logs. */
export interface StoredConnection {
  readonly id: string;
  readonly shop: ConnectedShop;
  /** Space-delimited: what was granted, which may be less than you asked for. */
  readonly scope: string;
  readonly refreshToken: string;
  /** RFC 3339. */
  readonly connectedAt: string;
}

/** An access token as the store may keep it, beside the connection. Plain JSON, and a secret for as long as it lives. */
export interface StoredAccessToken {
  readonly connectionId: string;
  readonly accessToken: string;
  /** The digest of the refresh token that it was got with. */
  readonly refreshTokenDigest: string;
  /** RFC 3339, as `expiresAt`. */
  readonly renewAt: string;
  readonly expiresAt: string;
}

/**
 * Where you keep connections: a table of yours with the connection's id as its key. A shop that connects again has the same id. Several
 * processes may use one store.
 */
export interface ConnectionStore {
  get(id: string): Promise<StoredConnection | null>;
  /** Stores all of it, or throws and leaves what was there. */
  put(connection: StoredConnection): Promise<void>;
  delete(id: string): Promise<void>;
  list(): AsyncIterable<StoredConnection> | Promise<StoredConnection[]>;
  /** With this and `putAccessToken` your processes share access tokens. Have them where many processes run, or short-lived ones do. */
  getAccessToken?(connectionId: string): Promise<StoredAccessToken | null>;
  /** One for each connection: it replaces the one before. */
  putAccessToken?(token: StoredAccessToken): Promise<void>;
}
