import type { Queries } from "@partner-connect/database";
import { hashCredential } from "@partner-connect/directory";
import {
  headerValues,
  noCredential,
  Semaphore,
  unavailable,
} from "@partner-connect/service-runtime";
import { LRUCache } from "lru-cache";
import { refusedCredential } from "../errors/api-error.ts";
import { type TokenExpectations, type VerifiedToken, verifyAccessToken } from "./access-token.ts";
import type { ApiKey, Caller, ConnectionCaller } from "./caller.ts";
import { KeySet } from "./key-set.ts";

export interface AuthenticatorOptions extends TokenExpectations {
  readonly jwksUrl: string;
  readonly jwksRefreshSeconds: number;
  readonly sql: Queries;
}

/** The form of our API keys; see newCredential in packages/directory. */
const API_KEY = /^pck_[A-Za-z0-9_-]{43}$/;
const BEARER = /^Bearer +([^\s]+)$/i;
const OUR_FORM = /^(?:Bearer(?: |$)|pck_)/i;

/** Maximum concurrent look-ups, so that unknown API keys leave connections for other requests. */
const API_KEY_LOOKUPS = 2;
const LOOKUP_WAIT_MS = 5000;

/** Entries per cache. A token is below 1 KB, so tokens take at most 10 MB. */
const REMEMBERED = 10_000;

/**
 * Finds the caller of a request. Caches verified tokens until they expire or their key is
 * withdrawn, and API keys, whose id and shop never change. Whether the caller may still call is not
 * cached; the database checks it on every request (`authorization/`).
 */
export class Authenticator {
  readonly signingKeys: KeySet;
  readonly #options: AuthenticatorOptions;
  readonly #apiKeyLookups = new Semaphore(API_KEY_LOOKUPS, LOOKUP_WAIT_MS);
  readonly #tokens = new LRUCache<string, VerifiedToken>({ max: REMEMBERED });
  /** API keys by their hash. Concurrent calls with the same key share a look-up. */
  readonly #apiKeys = new LRUCache<string, ApiKey>({
    max: REMEMBERED,
    fetchMethod: (hash) => this.#lookUp(hash),
  });

  constructor(options: AuthenticatorOptions) {
    this.#options = options;
    this.signingKeys = new KeySet(options.jwksUrl, options.jwksRefreshSeconds);
  }

  /**
   * Accepts Node's `rawHeaders`, with one `Authorization`: `Bearer <token>`, or an API key without a
   * prefix. @throws {ApiError} 401 @throws {KeysUnavailableError} or a database fault
   */
  async authenticate(rawHeaders: readonly string[]): Promise<Caller> {
    const sent = headerValues(rawHeaders, "authorization");
    const [value = ""] = sent.length === 1 ? sent : [];
    const token = BEARER.exec(value)?.[1];
    if (token !== undefined) return await this.#authenticateToken(token);
    if (API_KEY.test(value)) return await this.#authenticateKey(value);
    // RFC 6750 §3.1: the response to another authentication scheme has no error code.
    throw sent.some((each) => OUR_FORM.test(each))
      ? refusedCredential("malformed_credential")
      : noCredential();
  }

  async #authenticateToken(token: string): Promise<ConnectionCaller> {
    const now = Math.floor(Date.now() / 1000);
    const known = this.#tokens.get(token);
    if (known && known.exp > now && this.signingKeys.has(known.kid)) return known.caller;
    this.#tokens.delete(token);
    const verified = await verifyAccessToken(token, this.signingKeys, this.#options, now);
    this.#tokens.set(token, verified);
    return verified.caller;
  }

  async #authenticateKey(key: string): Promise<ApiKey> {
    const found = await this.#apiKeys.fetch(hashCredential(key).toString("base64"));
    if (!found) throw refusedCredential("unknown_api_key");
    return found;
  }

  async #lookUp(hash: string): Promise<ApiKey | undefined> {
    if (!(await this.#apiKeyLookups.take())) throw unavailable("too_many_requests");
    try {
      return await findApiKey(this.#options.sql, Buffer.from(hash, "base64"));
    } finally {
      this.#apiKeyLookups.release();
    }
  }
}

/**
 * Returns the key with this SHA-256. Each request's own statement checks revocation. Index:
 * api_keys_key_hash_key.
 */
async function findApiKey(sql: Queries, hash: Buffer): Promise<ApiKey | undefined> {
  const [row] = await sql<{ id: string; shop_id: string }[]>`
    SELECT id, shop_id FROM directory.api_keys WHERE key_hash = ${hash}`;
  return row && { kind: "api_key", id: row.id, shopId: row.shop_id };
}
