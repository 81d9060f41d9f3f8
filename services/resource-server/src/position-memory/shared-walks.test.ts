import { setTimeout as sleep } from "node:timers/promises";
import { type OwnRedis, ownRedis } from "@partner-connect/service-runtime/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { insertRows, type ListBody, type ListedRecord, seeded, touchRows } from "../responses/testing.ts";
import { ISSUER, type TestResourceServer, type TestShop, testResourceServer } from "../testing.ts";
import { LEFT_MS } from "./shown-positions.ts";

/**
 * Two or three walks with one key, side by side: one request at a time, so that the model knows what each must be shown.
 * Between any two of them records move and go; in the second half of the runs Redis is paused, killed and emptied too. Then those who pass ids
 * alone may lose records, and are beside the others only to disturb them.
 */
const SEEDS = process.env["TEST_NIGHTLY"] ? 170 : 16;
const START = Date.parse("2025-01-01T00:00:00.000Z");

/** How a walker goes on: by the link, by id and time, by the id alone, or by any of them. */
const STYLES = ["link", "time", "id", "id", "any"] as const;
type Style = (typeof STYLES)[number];

/** Between two pages of a walker no more time passes than this: a little less than a position counts once somebody has gone on from it. */
const PAUSE_MS = LEFT_MS - 1000;

/** Of the services' memory, and of the stamps: a row that moves is stamped with the time that it is. */
let now = START + 1_000_000;
let redis: OwnRedis;
/** They wait for Redis for as long as it may take on a busy machine: what they are asked may depend on it. */
let replicas: TestResourceServer[];
/** They don't: for the runs in which Redis is paused. */
let hasty: TestResourceServer[];

beforeAll(async () => {
  redis = await ownRedis();
  const options = { redisUrl: redis.url, now: () => now };
  const first = await testResourceServer(options);
  const another = (redisSilence = 10_000) => testResourceServer({ ...options, redisSilence, sharedWith: first });
  replicas = [first, await another()];
  hasty = [await another(500), await another(500)];
});

afterAll(async () => {
  for (const replica of [...replicas, ...hasty].reverse()) await replica.close();
  await redis.stop();
});

interface Row {
  readonly id: string;
  readonly at: number;
}

const order = (a: Row, b: Row): number => a.at - b.at || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);

/** The shop as it is, in the model and in Postgres. */
class Shop {
  readonly rows = new Map<string, Row>();
  readonly changed = new Set<string>();
  readonly #shop: TestShop;
  #stamp = 0;

  constructor(shop: TestShop) {
    this.#shop = shop;
  }

  get key(): string {
    return this.#shop.apiKey;
  }

  async fill(count: number): Promise<void> {
    const ids = Array.from({ length: count }, (_, i) => `r${i}`);
    const rows = ids.map((id, i) => ({ id, inserted_at: START + (i % 5), updated_at: START + (i % 5) + (i % 3) * 50 }));
    for (const row of rows) this.rows.set(row.id, { id: row.id, at: row.updated_at });
    await insertRows(owner(), this.#shop.id, rows);
  }

  async move(ids: readonly string[]): Promise<void> {
    this.#stamp = Math.max(this.#stamp + 1, now);
    for (const id of ids) {
      this.changed.add(id);
      this.rows.set(id, { id, at: this.#stamp });
    }
    await touchRows(owner(), this.#shop.id, ids, this.#stamp);
  }

  async remove(id: string): Promise<void> {
    this.rows.delete(id);
    await owner()`DELETE FROM survey.responses WHERE shop_id = ${this.#shop.id} AND id = ${id}`;
  }

  /** In the order of a walk. */
  inOrder(rises: boolean): Row[] {
    const rows = [...this.rows.values()].sort(order);
    return rises ? rows : rows.reverse();
  }
}

const owner = () => (replicas[0] as TestResourceServer).owner;

interface Route {
  readonly sort: string;
  readonly cursor: "starting_after" | "ending_before";
  readonly limit: number;
}

const counts = { observations: 0, lost: 0, repeats: 0, unavailable: 0, pages: 0, walks: 0 };

class Walker {
  readonly shown = new Map<string, number>();
  readonly rises: boolean;
  isDone = false;
  #place: Row | null = null;
  #link: string | null = null;
  #pages = 0;
  readonly #start: readonly string[];

  readonly shop: Shop;
  readonly style: Style;
  readonly route: Route;
  readonly server: TestResourceServer;
  readonly random: () => number;
  /** Whether all that it loses counts. */
  readonly isJudged: boolean;

  constructor(
    shop: Shop,
    style: Style,
    route: Route,
    server: TestResourceServer,
    random: () => number,
    hasFaults: boolean,
  ) {
    this.shop = shop;
    this.style = style;
    this.route = route;
    this.server = server;
    this.random = random;
    this.isJudged = !hasFaults || style === "link" || style === "time";
    this.rises = (route.sort === "updated_at_asc") === (route.cursor === "starting_after");
    this.#start = [...shop.rows.keys()];
    shop.changed.clear();
  }

  get edge(): string | undefined {
    return this.#place?.id;
  }

  /** One request. False when it was told to come again. */
  async step(): Promise<boolean> {
    const { shop, rises } = this;
    const chosen = this.style === "any" ? (["link", "time", "id"] as const)[Math.floor(this.random() * 3)] : this.style;
    // Going back begins at a record that no page has shown: an id alone would say too little.
    const style = this.#place || this.route.cursor === "starting_after" ? (chosen ?? "id") : "time";
    const response = await this.server.get(this.#path(style), shop.key);
    if (response.status === 503) {
      expect([style, response.headers.get("retry-after")]).toEqual(["id", "1"]);
      await response.arrayBuffer();
      counts.unavailable++;
      return false;
    }
    expect(response.status).toBe(200);
    const body = (await response.json()) as ListBody;
    const forward = this.route.cursor === "starting_after";
    const data = forward ? body.data : body.data.toReversed();
    this.#judge(data, shop.inOrder(rises), style === "id");
    const last = data.at(-1);
    if (last) this.#place = { id: last.id, at: Date.parse(last.updated_at) };
    this.#link = forward ? body.next : body.prev;
    this.isDone = this.#link === null;
    counts.pages++;
    if (++this.#pages > 2000) throw new Error(`the walk does not end: ${JSON.stringify([this.style, this.route])}`);
    return true;
  }

  /** What follows the place must come next; by an id alone what lies before it may come again. Nothing is left out. */
  #judge(data: readonly ListedRecord[], rows: readonly Row[], mayRepeat: boolean): void {
    const place = this.#place;
    const due = rows.findIndex((row) => !place || (this.rises ? order(row, place) > 0 : order(row, place) < 0));
    const first = data[0];
    const from = first ? rows.findIndex(({ id }) => id === first.id) : due < 0 ? rows.length : -1;
    const begin = due < 0 ? rows.length : due;
    if (this.isJudged) counts.lost += first ? Math.max(from - begin, 0) : rows.length - begin;
    if (!mayRepeat) expect(first ? from : rows.length).toBe(begin);
    expect(data.map(({ id }) => id)).toEqual(rows.slice(from, from + data.length).map(({ id }) => id));
    for (const { id } of data) {
      const times = (this.shown.get(id) ?? 0) + 1;
      this.shown.set(id, times);
      if (this.isJudged) counts.observations++;
      if (times > 1) counts.repeats++;
    }
  }

  /** Going up, every record that is still there was shown; going down, every one that did not change. */
  finish(): void {
    counts.walks++;
    if (!this.isJudged) return;
    for (const id of this.#start) {
      if (!this.shop.rows.has(id) || (!this.rises && this.shop.changed.has(id))) continue;
      counts.observations++;
      if (!this.shown.has(id) && !id.startsWith("end")) counts.lost++;
    }
  }

  #path(style: Style): string {
    const { sort, cursor, limit } = this.route;
    if (style === "link" && this.#link) return this.#link.slice(ISSUER.length);
    const query = `/api/responses?sort=${sort}&limit=${limit}`;
    if (!this.#place) {
      if (cursor === "starting_after") return query;
      this.#place = this.shop.inOrder(this.rises)[0] as Row;
      this.shown.set(this.#place.id, 1);
    }
    const { id, at } = this.#place;
    return `${query}&${cursor}=${id}${style === "id" ? "" : `&cursor_time=${new Date(at).toISOString()}`}`;
  }
}

async function run(seed: number, hasFaults: boolean): Promise<void> {
  const random = seeded(seed);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  const shop = new Shop(await (replicas[0] as TestResourceServer).newShop());
  const limit = pick([1, 2, 3, 5, 70, 70]);
  await shop.fill(limit === 70 ? 700 : 8 + Math.floor(random() * 25));
  const route: Route = {
    sort: pick(["updated_at_asc", "updated_at_desc"]),
    cursor: pick(["starting_after", "ending_before"]),
    limit,
  };
  const walkers = Array.from({ length: 2 + Math.floor(random() * 2) }, (_, i) => {
    const server = (hasFaults ? hasty : replicas)[i % 2] as TestResourceServer;
    return new Walker(shop, pick(STYLES), route, server, random, hasFaults);
  });
  let writes = 30;
  let faults = hasFaults ? 5 : 0;
  let waiting = new Set(walkers);
  const fault = async (): Promise<void> => {
    faults--;
    const kind = random();
    if (kind < 0.5) await redis.command("FLUSHALL");
    else if (kind < 0.6) await redis.command("SAVE");
    else if (kind < 0.7) await redis.command("CLIENT", "PAUSE", "400", "WRITE");
    else if (kind < 0.8) await redis.killAndRestart();
    else if (kind < 0.85) {
      redis.pause();
      for (const walker of walkers) if (!walker.isDone && random() < 0.7) await stepOf(walker);
      redis.resume();
    }
  };
  const stepOf = async (walker: Walker): Promise<void> => {
    if (!(await walker.step())) return void (await sleep(50));
    waiting.delete(walker);
    if (walker.isDone) walker.finish();
    if (waiting.size > 0) return;
    // Each has gone on.
    waiting = new Set(walkers.filter(({ isDone }) => !isDone));
    now += PAUSE_MS;
  };
  while (walkers.some(({ isDone }) => !isDone)) {
    const walker = pick(walkers.filter(({ isDone }) => !isDone));
    await stepOf(walker);
    if (writes > 0 && random() < 0.6) {
      writes--;
      const edges = walkers.flatMap(({ edge }) => (edge !== undefined && shop.rows.has(edge) ? [edge] : []));
      const some = [...shop.rows.keys()].filter(() => random() < 0.2);
      const act = random();
      if (act < 0.4 && edges.length > 0) await shop.move([pick(edges)]);
      else if (act < 0.8 && some.length > 0) await shop.move([...new Set([...some, ...edges.slice(0, 1)])]);
      else if (act < 0.9 && edges.length > 0 && shop.rows.size > 4) await shop.remove(pick(edges));
      else if (some.length > 0 && shop.rows.size > 4) await shop.remove(pick(some));
    }
    if (faults > 0 && random() < 0.12) await fault();
  }
}

test(`walks of one key, beside each other and whatever happens to Redis, lose nothing and end (${SEEDS} seeds)`, async () => {
  for (let seed = 1; seed <= SEEDS; seed++) {
    const before = counts.lost;
    await run(seed, seed > SEEDS / 2);
    expect([seed, counts.lost - before]).toEqual([seed, 0]);
  }
  console.log("walks of one key", counts);
  expect(counts.observations).toBeGreaterThanOrEqual(590 * SEEDS);
}, 900_000);
