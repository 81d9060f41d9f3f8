import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { transaction } from "@partner-connect/database";
import type { TestFeed } from "./test-feed.ts";

const DATA_KINDS = ["responses", "deletions", "questions"] as const;

const pick = <T>(all: readonly T[]): T => all[Math.floor(Math.random() * all.length)] as T;

/** A client with every shop, and others with a few. */
const SMALL_CLIENTS = 5;
const SHOPS_OF_SMALL = 7;

/**
 * What is true of a shop stands beside its stamp: of each kind a value, as a row of `survey.sources` that is called like the kind. Each
 * value that ever was has a row by itself.
 */
export class ModelShops {
  readonly #feed: TestFeed;
  readonly #ids: readonly string[];
  readonly clients: readonly string[];

  private constructor(feed: TestFeed, ids: readonly string[], clients: readonly string[]) {
    this.#feed = feed;
    this.#ids = ids;
    this.clients = clients;
  }

  static async make(feed: TestFeed, count: number): Promise<ModelShops> {
    const ids = await Promise.all(Array.from({ length: count }, () => feed.newShop()));
    const clients = await Promise.all(Array.from({ length: 1 + SMALL_CLIENTS }, () => feed.newClient()));
    for (const [index, clientId] of clients.entries()) {
      const its = index === 0 ? ids : ids.slice(index * SHOPS_OF_SMALL, (index + 1) * SHOPS_OF_SMALL);
      await Promise.all(its.map((shopId) => feed.connect(shopId, clientId)));
    }
    for (const shopId of ids) {
      await feed.owner`
        INSERT INTO survey.sources (shop_id, id, name, type)
        SELECT ${shopId}, kind, '', 'other' FROM unnest(${[...DATA_KINDS]}::text[]) AS kind`;
    }
    return new ModelShops(feed, ids, clients);
  }

  /** One change in one transaction of this length. False: somebody else has the shop. */
  async change(milliseconds: number): Promise<boolean> {
    const shopId = pick(this.#ids);
    const kind = pick([...DATA_KINDS, ...DATA_KINDS, "connection"] as const);
    try {
      await transaction(this.#feed.owner, async (tx) => {
        await tx`SET LOCAL lock_timeout = '50ms'`;
        if (kind === "connection") {
          const [row] = await tx<{ id: string; status: string }[]>`
            SELECT id, status FROM oauth.connections WHERE shop_id = ${shopId} ORDER BY md5(id || ${randomUUID()}) LIMIT 1`;
          await tx`
            UPDATE oauth.connections SET generation = generation + 1, status = ${row?.status === "revoked" ? "connected" : pick(["revoked", "connected"])},
              exchanged_at = ${row?.status === "revoked" ? new Date().toISOString() : tx`exchanged_at`}
            WHERE shop_id = ${shopId} AND id = ${row?.id ?? ""} AND status = ${row?.status ?? ""}`;
        } else {
          await tx`
            INSERT INTO survey.stamps (shop_id, stamp) VALUES (${shopId}, '-infinity')
            ON CONFLICT (shop_id) DO UPDATE SET stamp = excluded.stamp WHERE false`;
          const value = randomUUID();
          const [row] = await tx<{ at: Date }[]>`
            SELECT greatest(stamp, date_trunc('milliseconds', clock_timestamp())) + interval '1 millisecond' AS at
            FROM survey.stamps WHERE shop_id = ${shopId}`;
          // A statement by hand doesn't say what changes.
          const changes = Math.random() < 0.1 ? null : [kind];
          await tx`UPDATE survey.stamps SET stamp = ${row?.at ?? null}, changes = ${changes} WHERE shop_id = ${shopId}`;
          await tx`UPDATE survey.sources SET name = ${value} WHERE shop_id = ${shopId} AND id = ${kind}`;
          await tx`INSERT INTO survey.sources (shop_id, id, name, type) VALUES (${shopId}, ${value}, '', 'other')`;
        }
        if (milliseconds > 0) await pause(milliseconds);
      });
      return true;
    } catch (error) {
      if ((error as { code?: string }).code !== "55P03") throw error;
      return false;
    }
  }

  /** The state of these, by `connection kind`. */
  static async states(feed: TestFeed, clientId: string, shopIds: readonly string[]): Promise<Map<string, string>> {
    const shops = [...new Set(shopIds)];
    const states = new Map<string, string>();
    const connections = await feed.owner<{ id: string; shopId: string; state: string }[]>`
      SELECT id, shop_id AS "shopId", status || ' ' || generation AS state FROM oauth.connections
      WHERE shop_id = ANY (${shops}::text[]) AND client_id = ${clientId}`;
    const values = await feed.owner<{ shopId: string; kind: string; value: string }[]>`
      SELECT shop_id AS "shopId", id AS kind, name AS value FROM survey.sources
      WHERE shop_id = ANY (${shops}::text[]) AND id = ANY (${[...DATA_KINDS]}::text[])`;
    for (const { id, shopId, state } of connections) {
      states.set(`${id} connection`, state);
      if (state.startsWith("revoked")) continue;
      for (const value of values) if (value.shopId === shopId) states.set(`${id} ${value.kind}`, value.value);
    }
    return states;
  }

  /** All of a client. */
  async statesOf(clientId: string): Promise<Map<string, string>> {
    return await ModelShops.states(this.#feed, clientId, this.#ids);
  }

  /** Whether the database, as it is, has ever had this value. Else it was read before a restore took it back. */
  async isOfThisHistory(value: string): Promise<boolean> {
    return (await this.#feed.owner`SELECT FROM survey.sources WHERE id = ${value}`).length > 0;
  }
}
