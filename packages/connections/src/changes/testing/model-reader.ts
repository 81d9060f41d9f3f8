import { formatCursor, parseCursor, readChanges } from "../read-changes.ts";
import { ModelShops } from "./model-shops.ts";
import type { TestFeed } from "./test-feed.ts";

/** Pages between two looks for entries that appeared behind this reader. */
const LOOK_EVERY = 10;

/** A partner who follows a feed: reads a page, then what it tells of, then keeps the cursor. */
export class ModelReader {
  readonly #feed: TestFeed;
  readonly #clientId: string;
  #cursor: string | null = null;
  #pages = 0;
  readonly #seen = new Map<string, string>();
  readonly #numbers = new Set<number>();
  entries = 0;
  expired = 0;
  behind = 0;

  constructor(feed: TestFeed, clientId: string) {
    this.#feed = feed;
    this.#clientId = clientId;
  }

  async read(): Promise<"more" | "end"> {
    const limit = 1 + Math.floor(Math.random() * 300);
    const after = this.#cursor === null ? null : parseCursor(this.#cursor, this.#clientId);
    const page = await readChanges(this.#feed.server, this.#clientId, after, limit);
    if (page === null) {
      this.#forget();
      return "more";
    }
    const shops = page.changes.flatMap(({ shopId }) => shopId ?? []);
    const states =
      shops.length > 0 ? await ModelShops.states(this.#feed, this.#clientId, shops) : new Map<string, string>();
    for (const { connectionId, kind, number } of page.changes) {
      if (number <= (after?.number ?? 0)) this.behind += 1;
      this.#seen.set(`${connectionId} ${kind}`, states.get(`${connectionId} ${kind}`) ?? "revoked");
      this.#numbers.add(number);
    }
    this.entries += page.changes.length;
    this.#cursor = formatCursor(page.cursor, this.#clientId);
    if (++this.#pages % LOOK_EVERY === 0) await this.#lookBehind();
    return page.hasMore ? "more" : "end";
  }

  async readToEnd(): Promise<void> {
    while ((await this.read()) === "more");
    await this.#lookBehind();
  }

  /** How many states the reader does not know as they are. */
  async missed(shops: ModelShops): Promise<number> {
    let missed = 0;
    for (const [key, state] of await shops.statesOf(this.#clientId)) {
      const seen = this.#seen.get(key);
      if (seen === state) continue;
      const isOfData = !key.endsWith(" connection");
      if (isOfData && seen !== undefined && seen !== "revoked" && !(await shops.isOfThisHistory(seen))) continue;
      missed += 1;
      process.stderr.write(`missed: ${this.#clientId} ${key}: ${seen}, it is ${state}\n`);
    }
    return missed;
  }

  /** The entries that are there up to the cursor have all been on a page. */
  async #lookBehind(): Promise<void> {
    const last = parseCursor(this.#cursor ?? "", this.#clientId)?.number ?? 0;
    const rows = await this.#feed.server<{ number: number }[]>`
      SELECT number::float8 AS number FROM oauth.changes WHERE client_id = ${this.#clientId} AND number <= ${last}`;
    this.behind += rows.filter(({ number }) => !this.#numbers.has(number)).length;
  }

  #forget(): void {
    this.expired += 1;
    this.#cursor = null;
    this.#seen.clear();
    this.#numbers.clear();
  }
}
