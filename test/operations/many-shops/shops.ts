import { approve, exchange, revoke } from "@partner-connect/connections";
import type { Sql } from "@partner-connect/database";
import { hashCredential, newCredential } from "@partner-connect/directory";
import type { StoredConnection } from "@partner-connect/partner-sdk";
import { deleteResponses, importResponses, recategorizeResponses } from "@partner-connect/survey-data";
import { fillShops } from "../../harness/actors/fill-shops.ts";
import type { PartnerClient } from "../../harness/actors/onboarding.ts";

const ACTOR = { name: "operator:test" };
const SCOPE = "responses:read";
/** Responses that each shop has at first. */
const FIRST = ["a", "b", "c", "d"];

export interface TrialShop {
  readonly id: string;
  readonly name: string;
  /** Null before it is connected for the first time. */
  connection: StoredConnection | null;
  isConnected: boolean;
  /** Responses that it has, and those that were deleted. */
  readonly kept: Set<string>;
  readonly deleted: Set<string>;
}

/** What merchants and operators do to a shop, by the statements that the services and the command line run. Each can be repeated. */
export class Shops {
  readonly #sql: Sql;
  readonly #client: PartnerClient;
  readonly #merchantId: string;

  constructor(sql: Sql, client: PartnerClient, merchantId: string) {
    this.#sql = sql;
    this.#client = client;
    this.#merchantId = merchantId;
  }

  async make(count: number): Promise<TrialShop[]> {
    const rows = await this.#sql<{ id: string; name: string }[]>`
      INSERT INTO directory.shops (name, plan) SELECT 'Shop ' || number, 'standard' FROM generate_series(1, ${count}::int) number
      RETURNING id, name`;
    await fillShops(
      this.#sql,
      rows.map(({ id }) => id),
      FIRST,
    );
    return rows.map(({ id, name }) => ({
      ...{ id, name, connection: null, isConnected: false },
      ...{ kept: new Set(FIRST), deleted: new Set<string>() },
    }));
  }

  /** The merchant approves, and the partner exchanges the code. The partner has yet to store what is returned. */
  async connect(shop: TrialShop, repeat: Repeat): Promise<StoredConnection> {
    const clientId = this.#client.clientId;
    const key = { shopId: shop.id, clientId, grantId: newCredential("grant") };
    const refreshToken = `${newCredential("pcr")}_${shop.id}`;
    const approval = { ...key, merchantId: this.#merchantId, scope: [SCOPE] as const };
    const approved = await repeat(() => approve(this.#sql, approval, ACTOR));
    if (!approved) throw new Error(`${shop.id} is on hold`);
    await repeat(() => exchange(this.#sql, { ...key, refreshTokenHash: hashCredential(refreshToken) }, ACTOR));
    return {
      id: approved.connectionId,
      shop: { id: shop.id, name: shop.name, domain: null, plan: "standard" },
      scope: SCOPE,
      refreshToken,
      connectedAt: new Date().toISOString(),
    };
  }

  async revoke({ id: shopId, connection }: TrialShop): Promise<void> {
    await revoke(this.#sql, { shopId, id: connection?.id ?? "" }, ACTOR);
  }

  async import({ id: shopId }: TrialShop, ids: readonly string[], response: string): Promise<void> {
    const lines = ids.map((id) => `${JSON.stringify({ id, question: "Where did you hear of us?", response })}\n`);
    await importResponses(this.#sql, { shopId, lines }, ACTOR);
  }

  async recategorize({ id: shopId }: TrialShop, ids: readonly string[], response: string): Promise<void> {
    await recategorizeResponses(this.#sql, { shopId, ids, response }, ACTOR);
  }

  async delete({ id: shopId }: TrialShop, ids: readonly string[]): Promise<void> {
    await deleteResponses(this.#sql, { shopId, ids }, ACTOR);
  }
}

/** Repeats what failed while a store was away. */
export type Repeat = <T>(work: () => Promise<T>) => Promise<T>;
