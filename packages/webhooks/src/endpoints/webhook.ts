import { type ListPage, listPage, type Queries, type Sql } from "@partner-connect/database";
import type { SecretSource } from "../signing/sign-hint.ts";
import { WebhookError } from "../webhook-error.ts";

/** An endpoint, as operators see it. */
export interface Webhook {
  readonly id: string;
  readonly clientId: string;
  readonly url: string;
  readonly status: "active" | "paused";
  /** Since when each hint failed; null: the last one arrived. */
  readonly failingSince: Date | null;
  readonly createdAt: Date;
  readonly secrets: readonly SecretSource[];
  /** The hint that an operator asked for; null: none, or the worker has sent it. */
  readonly askedId: string | null;
  /** The newest first. */
  readonly deliveries: readonly Delivery[];
}

/** What came of one attempt. */
export interface Delivery {
  /** The `webhook-id`. */
  readonly id: string;
  /** RFC 3339. */
  readonly at: string;
  readonly milliseconds: number;
  /** Null: there was no answer. */
  readonly status: number | null;
  /** Why it failed; null: it arrived. */
  readonly error: string | null;
  /** The first bytes of the answer. */
  readonly body: string;
}

/** Of oauth.webhooks as `w`. */
export function webhookColumns(sql: Queries) {
  return sql`${shownColumns(sql)}, w.secrets`;
}

function shownColumns(sql: Queries) {
  return sql`
    w.id, w.client_id AS "clientId", w.url, w.status, w.failing_since AS "failingSince", w.created_at AS "createdAt",
    w.asked ->> 'id' AS "askedId", w.deliveries`;
}

/** An endpoint, as its partner sees it. */
export type ShownWebhook = Omit<Webhook, "secrets">;

/** A client's endpoints, the oldest first. Index: webhooks_pkey. */
export async function shownWebhooks(sql: Queries, clientId: string): Promise<ShownWebhook[]> {
  return await sql<ShownWebhook[]>`
    SELECT ${shownColumns(sql)} FROM oauth.webhooks w WHERE w.client_id = ${clientId} ORDER BY w.created_at, w.id`;
}

/** Endpoints, the oldest first. It reads the whole table, unless for one client. Index: webhooks_pkey. */
export async function listWebhooks(
  sql: Sql,
  { clientId, id, ...page }: ListPage & { readonly clientId?: string | undefined; readonly id?: string } = {},
): Promise<Webhook[]> {
  return await sql<Webhook[]>`
    SELECT ${webhookColumns(sql)} FROM oauth.webhooks w
    WHERE ${clientId === undefined ? sql`true` : sql`w.client_id = ${clientId}`}
      AND ${id === undefined ? sql`true` : sql`w.id = ${id}`}
    ${listPage(sql, page, "w.id", ["w.url"])}`;
}

/** @throws {WebhookError} UNKNOWN_WEBHOOK */
export async function findWebhook(sql: Sql, id: string): Promise<Webhook> {
  const [found] = await listWebhooks(sql, { id });
  if (!found) throw unknownWebhook(id);
  return found;
}

/** The endpoint, locked until the transaction ends. Index: webhooks_pkey. @throws {WebhookError} UNKNOWN_WEBHOOK */
export async function lockWebhook(sql: Queries, { clientId, id }: Pick<Webhook, "clientId" | "id">): Promise<Webhook> {
  const [found] = await sql<Webhook[]>`
    SELECT ${webhookColumns(sql)} FROM oauth.webhooks w WHERE w.client_id = ${clientId} AND w.id = ${id} FOR UPDATE`;
  if (!found) throw unknownWebhook(id);
  return found;
}

export function unknownWebhook(id: string): WebhookError {
  return new WebhookError("UNKNOWN_WEBHOOK", `there is no endpoint with the id ${JSON.stringify(id)}`);
}

/** How many there are, by what an operator needs to know of them. */
export async function countWebhooks(sql: Sql): Promise<Readonly<Record<string, number>>> {
  const [counts] = await sql<Record<string, number>[]>`
    SELECT count(*) FILTER (WHERE status = 'active' AND failures = 0)::int AS active,
      count(*) FILTER (WHERE status = 'active' AND failures > 0)::int AS failing,
      count(*) FILTER (WHERE status = 'paused')::int AS paused
    FROM oauth.webhooks`;
  return counts ?? {};
}
