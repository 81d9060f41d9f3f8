import { setTimeout as sleep } from "node:timers/promises";
import { approve, exchange, revoke } from "@partner-connect/connections";
import type { Sql } from "@partner-connect/database";
import { hashCredential, newCredential } from "@partner-connect/directory";
import type { StoredConnection } from "@partner-connect/partner-sdk";
import { deleteResponses, importResponses, recategorizeResponses } from "@partner-connect/survey-data";

const ACTOR = { name: "operator:test" };
/** Responses that each shop has at first. */
const FIRST = ["a", "b", "c", "d"];
/** How often each kind of event comes, of 100. */
const SHARES = { import: 40, recategorize: 20, delete: 15, "import again": 5, revoke: 8, connect: 12 } as const;
type Kind = keyof typeof SHARES;
const KINDS = (Object.keys(SHARES) as Kind[]).flatMap((kind) => Array<Kind>(SHARES[kind]).fill(kind));

export interface TrialShop {
  readonly id: string;
  readonly name: string;
  connection: StoredConnection | null;
  isConnected: boolean;
  /** Ids of responses. */
  readonly kept: Set<string>;
  readonly deleted: Set<string>;
}

const IS_POSSIBLE: Readonly<Record<Kind, (shop: TrialShop) => boolean>> = {
  import: () => true,
  recategorize: ({ kept }) => kept.size > 0,
  delete: ({ kept }) => kept.size > 0,
  "import again": ({ deleted }) => deleted.size > 0,
  revoke: ({ isConnected }) => isConnected,
  connect: ({ isConnected }) => !isConnected,
};

/** What merchants and operators do to shops, by the statements that the services and the command line run. */
export class Shops {
  readonly all: TrialShop[] = [];
  readonly counts: Partial<Record<Kind, number>> = {};
  /** Attempts that failed while a store was away, and were repeated. */
  repeated = 0;
  readonly #sql: Sql;
  readonly #clientId: string;
  readonly #merchantId: string;
  readonly #random: () => number;
  #named = 0;

  constructor(sql: Sql, clientId: string, merchantId: string, random: () => number) {
    this.#sql = sql;
    this.#clientId = clientId;
    this.#merchantId = merchantId;
    this.#random = random;
  }

  async make(count: number): Promise<void> {
    const rows = await this.#sql<{ id: string; name: string }[]>`
      INSERT INTO directory.shops (name, plan) SELECT 'Shop ' || number, 'standard' FROM generate_series(1, ${count}::int) number
      RETURNING id, name`;
    const [first, ...others] = rows.map(({ id }) => id);
    await this.#import(first ?? "", FIRST);
    await this.#sql`
      INSERT INTO survey.responses (shop_id, id, inserted_at, updated_at, doc)
      SELECT other, id, inserted_at, updated_at, doc FROM survey.responses, unnest(${others}::text[]) other WHERE shop_id = ${first ?? ""}`;
    const start = { connection: null, isConnected: false };
    this.all.push(...rows.map((row) => ({ ...row, ...start, kept: new Set(FIRST), deleted: new Set<string>() })));
  }

  /** The merchant approves, and the partner exchanges the code. */
  async connect(shop: TrialShop): Promise<StoredConnection> {
    const key = { shopId: shop.id, clientId: this.#clientId, grantId: newCredential("grant") };
    const refreshToken = `${newCredential("pcr")}_${shop.id}`;
    const scope = ["responses:read"] as const;
    const approved = await this.#repeat(() =>
      approve(this.#sql, { ...key, merchantId: this.#merchantId, scope }, ACTOR),
    );
    await this.#repeat(() => exchange(this.#sql, { ...key, refreshTokenHash: hashCredential(refreshToken) }, ACTOR));
    shop.connection = {
      id: approved?.connectionId ?? "",
      shop: { id: shop.id, name: shop.name, domain: null, plan: "standard" },
      scope: "responses:read",
      refreshToken,
      connectedAt: new Date().toISOString(),
    };
    shop.isConnected = true;
    return shop.connection;
  }

  /** Events in random order, each at a random shop, by four callers. A shop has one at a time. Returns what waits for the last ones. */
  keepHappening(everyMs: number, connected: (connection: StoredConnection) => Promise<void>): () => Promise<void> {
    const busy = new Set<TrialShop>();
    let isOver = false;
    const pick = <T>(values: readonly T[]): T | undefined => values[Math.floor(this.#random() * values.length)];
    const callers = Array.from({ length: 4 }, async () => {
      while (!isOver) {
        const kind = pick(KINDS) ?? "import";
        const shop = pick(this.all.filter((one) => !busy.has(one) && IS_POSSIBLE[kind](one)));
        if (shop) {
          busy.add(shop);
          if (kind === "connect") await connected(await this.connect(shop));
          else await this.#change(kind, shop);
          busy.delete(shop);
          this.counts[kind] = (this.counts[kind] ?? 0) + 1;
        }
        await sleep(everyMs);
      }
    });
    return async () => {
      isOver = true;
      await Promise.all(callers);
    };
  }

  async #change(kind: Exclude<Kind, "connect">, shop: TrialShop): Promise<void> {
    const { id: shopId, kept, deleted } = shop;
    /** The first one, and some others. */
    const some = (ids: ReadonlySet<string>) => [...ids].filter((_, index) => index === 0 || this.#random() < 0.3);
    if (kind === "revoke") {
      await this.#repeat(() => revoke(this.#sql, { shopId, id: shop.connection?.id ?? "" }, ACTOR));
      shop.isConnected = false;
    } else if (kind === "recategorize") {
      const change = { shopId, ids: some(kept), response: this.#word() };
      await this.#repeat(() => recategorizeResponses(this.#sql, change, ACTOR));
    } else if (kind === "delete") {
      const ids = some(kept);
      await this.#repeat(() => deleteResponses(this.#sql, { shopId, ids }, ACTOR));
      for (const id of ids) {
        kept.delete(id);
        deleted.add(id);
      }
    } else {
      const fresh = () => Array.from({ length: 1 + Math.floor(this.#random() * 8) }, () => `r${this.#named++}`);
      const ids = kind === "import" ? fresh() : some(deleted);
      await this.#import(shopId, ids);
      for (const id of ids) {
        kept.add(id);
        deleted.delete(id);
      }
    }
  }

  #word(): string {
    return `Answer ${Math.floor(this.#random() * 1000)}`;
  }

  async #import(shopId: string, ids: readonly string[]): Promise<void> {
    const response = this.#word();
    const lines = ids.map((id) => `${JSON.stringify({ id, question: "Where did you hear of us?", response })}\n`);
    await this.#repeat(() => importResponses(this.#sql, { shopId, lines }, ACTOR));
  }

  /** Repeats what failed while a store was away. */
  async #repeat<T>(work: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await work();
      } catch (error) {
        if (attempt === 100) throw error;
        this.repeated++;
        await sleep(200);
      }
    }
  }
}
