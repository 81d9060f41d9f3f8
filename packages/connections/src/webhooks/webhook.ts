import { type ListPage, listPageSql, type Queries, type Sql } from "@partner-connect/database";

/** A refused operation on an endpoint. The message is one line for an operator, without secrets. */
export class WebhookError extends Error {
  override readonly name = "WebhookError";
  readonly code:
    | "INVALID_WEBHOOK_URL"
    | "WEBHOOK_ADDRESS"
    | "WEBHOOK_HOST_UNKNOWN"
    | "WEBHOOK_KEY"
    | "UNKNOWN_WEBHOOK"
    | "TOO_MANY_WEBHOOKS"
    | "CLIENT_DISABLED"
    | "WEBHOOK_ROTATION_UNDER_WAY";

  constructor(code: WebhookError["code"], message: string) {
    super(message);
    this.code = code;
  }
}

/** The stored part of a secret, useless without the key. */
export interface SecretSource {
  readonly key_id: string;
  readonly salt: string;
  /** RFC 3339; null until the secret is rotated. */
  readonly expires_at: string | null;
}

export interface Endpoint {
  readonly id: string;
  readonly clientId: string;
  readonly url: string;
  readonly status: "active" | "paused";
  /** Start of the current series of failures; null if the last webhook was delivered. */
  readonly failingSince: Date | null;
  readonly failures: number;
  /** The next webhook is sent at this time or later. */
  readonly nextAttemptAt: Date;
  readonly createdAt: Date;
  readonly secrets: readonly SecretSource[];
  /** Newest first. */
  readonly deliveries: readonly Delivery[];
}

/** The result of one attempt. */
export interface Delivery {
  /** The `webhook-id`. */
  readonly id: string;
  /** RFC 3339. */
  readonly at: string;
  readonly milliseconds: number;
  /** Null if there was no response. */
  readonly status: number | null;
  /** Why the attempt failed; null if the webhook was delivered. */
  readonly error: string | null;
  /** The first bytes of the response. */
  readonly body: string;
}

/** Columns of oauth.webhooks as `w`. */
export function shownColumns(sql: Queries) {
  return sql`
    w.id, w.client_id AS "clientId", w.url, w.status, w.failing_since AS "failingSince", w.created_at AS "createdAt",
    w.failures, w.next_attempt_at AS "nextAttemptAt", w.deliveries`;
}

/** An endpoint as shown to its partner. */
export type ShownEndpoint = Omit<Endpoint, "secrets">;

/** A client's endpoints, oldest first. Index: webhooks_pkey. */
export async function shownWebhooks(sql: Queries, clientId: string): Promise<ShownEndpoint[]> {
  return await sql<ShownEndpoint[]>`
    SELECT ${shownColumns(sql)} FROM oauth.webhooks w WHERE w.client_id = ${clientId} ORDER BY w.created_at, w.id`;
}

/**
 * Endpoints, oldest first. Reads the whole table unless a client is given. Index: webhooks_pkey.
 */
export async function listWebhooks(
  sql: Sql,
  {
    clientId,
    id,
    ...page
  }: ListPage & { readonly clientId?: string | undefined; readonly id?: string } = {},
): Promise<Endpoint[]> {
  return await sql<Endpoint[]>`
    SELECT ${shownColumns(sql)}, w.secrets FROM oauth.webhooks w
    WHERE ${clientId === undefined ? sql`true` : sql`w.client_id = ${clientId}`}
      AND ${id === undefined ? sql`true` : sql`w.id = ${id}`}
    ${listPageSql(sql, page, "w.id", ["w.url"])}`;
}

/** @throws {WebhookError} UNKNOWN_WEBHOOK */
export async function findWebhook(sql: Sql, id: string): Promise<Endpoint> {
  const [found] = await listWebhooks(sql, { id });
  if (!found) throw unknownWebhook(id);
  return found;
}

/**
 * Locks the endpoint until the transaction ends. Index: webhooks_pkey. @throws {WebhookError}
 * UNKNOWN_WEBHOOK
 */
export async function lockWebhook(
  sql: Queries,
  { clientId, id }: Pick<Endpoint, "clientId" | "id">,
): Promise<ShownEndpoint> {
  const [found] = await sql<ShownEndpoint[]>`
    SELECT ${shownColumns(sql)} FROM oauth.webhooks w WHERE w.client_id = ${clientId} AND w.id = ${id} FOR UPDATE`;
  if (!found) throw unknownWebhook(id);
  return found;
}

export function unknownWebhook(id: string): WebhookError {
  const problem = `there is no endpoint with the id ${JSON.stringify(id)}`;
  return new WebhookError("UNKNOWN_WEBHOOK", problem);
}

/** The number of endpoints by state, for operators. */
export async function countWebhooks(sql: Sql): Promise<Readonly<Record<string, number>>> {
  const [counts] = await sql<Record<string, number>[]>`
    SELECT count(*) FILTER (WHERE status = 'active' AND failures = 0)::int AS active,
      count(*) FILTER (WHERE status = 'active' AND failures > 0)::int AS failing,
      count(*) FILTER (WHERE status = 'paused')::int AS paused
    FROM oauth.webhooks`;
  return counts ?? {};
}
