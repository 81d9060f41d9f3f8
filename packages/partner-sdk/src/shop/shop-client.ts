import type { Clock } from "../clock.ts";
import type { Credential } from "../credential.ts";
import { Unavailable } from "../errors/index.ts";
import type { ConnectionRecord } from "../records.ts";

export interface ShopClientOptions {
  /** Without a slash at its end: `/api/…` is put behind it. */
  readonly apiUrl: string;
  readonly credential: Credential;
  readonly fetch: typeof globalThis.fetch;
  readonly clock: Clock;
}

/** The API of one shop. */
export class ShopClient {
  readonly #options: ShopClientOptions;

  constructor(options: ShopClientOptions) {
    this.#options = options;
  }

  /** For whom this client speaks. */
  async connection(): Promise<ConnectionRecord> {
    const { apiUrl, credential, fetch } = this.#options;
    const answer = await fetch(`${apiUrl}/api/connection`, {
      headers: { authorization: await credential.authorization() },
    });
    if (!answer.ok) throw new Unavailable(`GET /api/connection is ${answer.status}`, 1);
    return (await answer.json()) as ConnectionRecord;
  }
}
