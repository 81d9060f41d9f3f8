import type { Clock } from "../clock.ts";
import { InvalidClient, Unauthorized } from "../errors/index.ts";
import { ApiCaller } from "../shop/api-caller.ts";
import type { CallOptions } from "../shop/call-parameters.ts";
import { pages, type QueryValue, queryOf } from "../shop/page-walk.ts";
import { basicAuthorization } from "../tokens/token-endpoint.ts";
import type { ChangesPage, ConnectionStatus, ListedConnection } from "./records.ts";

export interface ListConnections extends CallOptions {
  /** `connected`, `expired`, `revoked`, … Default: all. */
  readonly status?: ConnectionStatus;
  /** Connections of one page, 1 to 1000. Default: 1000. The list goes on to its end all the same. */
  readonly limit?: number;
  /** The id of a connection: the list begins after it. */
  readonly starting_after?: string;
}

export interface ReadChanges extends CallOptions {
  /** The `cursor` of an earlier answer. Null or left out: from the beginning. */
  readonly after?: string | null;
  /** 1 to 1000. Default: 100. */
  readonly limit?: number;
  /** Seconds, 0 to 25, to wait for something new where there is nothing. Default: 0. */
  readonly wait?: number;
}

export interface PartnerApiOptions {
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly fetch: typeof globalThis.fetch;
  readonly clock: Clock;
}

/** What the server tells the client itself, over all its connections. */
export class PartnerApi {
  readonly #caller: ApiCaller;

  constructor({ baseUrl, clientId, clientSecret, fetch, clock }: PartnerApiOptions) {
    const authorization = basicAuthorization(clientId, clientSecret);
    this.#caller = new ApiCaller({
      apiUrl: baseUrl,
      credential: { authorization: async () => authorization },
      fetch,
      clock,
    });
  }

  async *connections({ signal, ...parameters }: ListConnections): AsyncGenerator<ListedConnection, void, undefined> {
    const query = queryOf({ limit: 1000, ...(parameters as Record<string, QueryValue>) });
    const walk = pages<ListedConnection>(this.#caller, { path: "/oauth/api/connections", query, signal });
    for (;;) {
      const { done, value } = await asClient(walk.next());
      if (done) return;
      yield* value;
    }
  }

  /** @throws {CursorExpired} */
  async changes({ signal, after, ...parameters }: ReadChanges): Promise<ChangesPage> {
    const query = queryOf({ ...parameters, after: after ?? undefined });
    return await asClient(this.#caller.json<ChangesPage>({ path: "/oauth/api/changes", query, signal }));
  }

  /** RFC 7009. */
  async revoke(refreshToken: string, signal: AbortSignal | undefined): Promise<void> {
    const form = new URLSearchParams({ token: refreshToken, token_type_hint: "refresh_token" });
    await asClient(this.#caller.empty({ path: "/oauth/api/revoke", form, signal }));
  }
}

/** The credential is the client's own. */
async function asClient<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof Unauthorized)) throw error;
    throw new InvalidClient(`the client was refused: ${error.message}`, { requestId: error.requestId });
  }
}
