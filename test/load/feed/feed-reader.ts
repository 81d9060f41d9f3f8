import { Agent, get } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { FeedClient } from "./connected-clients.ts";

export interface FeedEntry {
  readonly connection_id: string;
  readonly shop_id: string;
  readonly kind: string;
}

interface FeedAnswer {
  readonly data: readonly FeedEntry[];
  readonly cursor: string;
  readonly has_more: boolean;
}

export interface FeedReaderOptions {
  /** Of a replica. */
  readonly url: string;
  readonly client: Pick<FeedClient, "clientId" | "secret">;
  /** Where its calls come from. */
  readonly address: string;
  readonly cursor?: string | null;
}

const LIMIT = 1000;
const WAIT_SECONDS = 25;
/** From one call to the next: as the SDK has it, so that a busy feed is read within the limit. */
const LEAST_PAUSE_MS = 200;

/** A partner's process that reads its client's feed. It has an address of its own, and so the limit of one address. */
export class FeedReader {
  readonly #url: string;
  readonly #authorization: string;
  readonly #agent: Agent;
  #isOver = false;
  #following: Promise<void> = Promise.resolve();
  calls = 0;
  /** Where it goes on; null: from the beginning. */
  cursor: string | null;

  constructor({ url, client: { clientId, secret }, address, cursor = null }: FeedReaderOptions) {
    this.#url = url;
    this.cursor = cursor;
    this.#authorization = `Basic ${Buffer.from(`${clientId}:${secret}`).toString("base64")}`;
    this.#agent = new Agent({ keepAlive: true, maxSockets: 1, localAddress: address });
  }

  /** Reads to the end of the feed, and returns how many entries there were. */
  async catchUp(): Promise<number> {
    let count = 0;
    for (;;) {
      const { data, has_more } = await this.#read(0);
      count += data.length;
      if (!has_more) return count;
    }
  }

  /** The next call begins when the last one is answered. */
  follow(seen: (entry: FeedEntry) => void): void {
    this.#following = (async () => {
      while (!this.#isOver) {
        const pause = sleep(LEAST_PAUSE_MS);
        for (const entry of (await this.#read(WAIT_SECONDS)).data) seen(entry);
        await pause;
      }
    })().catch((error) => {
      if (!this.#isOver) throw error;
    });
  }

  /** Ends the call that waits, too. */
  async stop(): Promise<void> {
    this.#isOver = true;
    this.#agent.destroy();
    await this.#following;
  }

  async #read(wait: number): Promise<FeedAnswer> {
    for (;;) {
      const { status, text, retryAfter } = await this.#get(wait);
      if (status === 200) {
        const answer: FeedAnswer = JSON.parse(text);
        this.cursor = answer.cursor;
        return answer;
      }
      if (status !== 429) throw new Error(`the feed answered ${status}: ${text}`);
      await sleep(retryAfter * 1000);
    }
  }

  #get(wait: number): Promise<{ readonly status: number; readonly text: string; readonly retryAfter: number }> {
    const query = new URLSearchParams({ limit: String(LIMIT), wait: String(wait) });
    if (this.cursor !== null) query.set("after", this.cursor);
    this.calls++;
    return new Promise((resolve, reject) => {
      const headers = { authorization: this.#authorization };
      get(`${this.#url}/oauth/api/changes?${query}`, { agent: this.#agent, headers }, (answer) => {
        const chunks: Buffer[] = [];
        answer.on("data", (chunk: Buffer) => chunks.push(chunk));
        answer.on("error", reject);
        answer.on("end", () =>
          resolve({
            status: answer.statusCode ?? 0,
            text: Buffer.concat(chunks).toString(),
            retryAfter: Number(answer.headers["retry-after"] ?? 1),
          }),
        );
      }).on("error", reject);
    });
  }
}
