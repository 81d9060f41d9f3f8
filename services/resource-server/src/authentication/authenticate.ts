import { hashCredential } from "@partner-connect/directory";
import { LRUCache } from "lru-cache";
import { unauthenticated, unauthorized } from "../errors/api-error.ts";
import type { Database } from "../stores/database.ts";
import { type VerifiedToken, verifyAccessToken } from "./access-token.ts";
import type { TokenExpectations } from "./access-token-claims.ts";
import { findApiKey } from "./api-key.query.ts";
import { presentsCredential, readCredential } from "./authorization-header.ts";
import type { ApiKey, Caller } from "./caller.ts";
import { KeySet } from "./key-set.ts";

export interface AuthenticatorOptions extends TokenExpectations {
  readonly jwksUrl: string;
  readonly database: Database;
}

/** Tokens live 15 minutes and are below 1 KB: at most about 10 MB. */
const REMEMBERED = 10_000;

/**
 * Says who sends a request. From a warm memory that is one look-up, without network: a verified token is remembered
 * until its `exp`, a key's id and shop for ever (neither changes). Whether they STILL may call is never remembered.
 */
export class Authenticator {
  readonly keys: KeySet;
  readonly #options: AuthenticatorOptions;
  readonly #tokens = new LRUCache<string, VerifiedToken>({ max: REMEMBERED });
  readonly #apiKeys = new LRUCache<string, ApiKey>({ max: REMEMBERED });

  constructor(options: AuthenticatorOptions) {
    this.#options = options;
    this.keys = new KeySet(options.jwksUrl, () => this.#tokens.clear());
  }

  /**
   * @param rawHeaders as Node gives them
   * @throws {ApiError} 401 `unauthorized`
   * @throws {KeysUnavailableError} or a database fault, when it can't be known now
   */
  async authenticate(rawHeaders: readonly string[]): Promise<Caller> {
    const credential = readCredential(rawHeaders);
    if (!credential) throw presentsCredential(rawHeaders) ? unauthorized() : unauthenticated();
    const caller =
      credential.kind === "access_token"
        ? await this.#bearerOf(credential.value)
        : await this.#holderOf(credential.value);
    if (!caller) throw unauthorized();
    return caller;
  }

  async #bearerOf(token: string): Promise<Caller | null> {
    const now = Math.floor(Date.now() / 1000);
    const known = this.#tokens.get(token);
    if (known) {
      if (known.exp > now) return known.caller;
      this.#tokens.delete(token);
      return null;
    }
    const verified = await verifyAccessToken(token, this.keys, this.#options, now);
    if (!verified) return null;
    this.#tokens.set(token, verified);
    return verified.caller;
  }

  async #holderOf(key: string): Promise<Caller | null> {
    const hash = hashCredential(key);
    const memory = hash.toString("base64");
    const known = this.#apiKeys.get(memory);
    if (known) return known;
    const found = await this.#options.database.run((sql) => findApiKey(sql, hash));
    if (found) this.#apiKeys.set(memory, found);
    return found;
  }
}
