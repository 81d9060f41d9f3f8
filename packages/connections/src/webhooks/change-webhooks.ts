import { type Actor, recordAudit } from "@partner-connect/audit";
import { type Queries, transaction } from "@partner-connect/database";
import { testIdOf } from "./due-webhooks.ts";
import { endpointSecret, newSecretSource, type WebhookKeys } from "./secrets.ts";
import {
  type Endpoint,
  lockWebhook,
  type ShownEndpoint,
  shownColumns,
  unknownWebhook,
  WebhookError,
} from "./webhook.ts";

const MAX_OF_CLIENT = 10;

/**
 * `secret` begins with `whsec_`.
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export interface NewSecret {
  readonly webhook: Endpoint;
  readonly secret: string;
}

type EndpointKey = Pick<Endpoint, "clientId" | "id">;

/**
 * Adds an endpoint with a checked URL. @throws {WebhookError} CLIENT_DISABLED (also if there is no
 * such client), TOO_MANY_WEBHOOKS
 */
export async function addWebhook(
  sql: Queries,
  wanted: { readonly clientId: string; readonly url: string },
  keys: WebhookKeys,
  actor: Actor,
): Promise<NewSecret> {
  const { clientId, url } = wanted;
  return await transaction(sql, async (tx) => {
    const clients = await tx`
      SELECT FROM directory.clients WHERE client_id = ${clientId} AND status = 'active' FOR NO KEY UPDATE`;
    if (clients.length === 0)
      throw new WebhookError("CLIENT_DISABLED", `there is no active client ${clientId}`);
    const [before] = await tx<{ count: number }[]>`
      SELECT count(*)::int AS count FROM oauth.webhooks WHERE client_id = ${clientId}`;
    if ((before?.count ?? 0) >= MAX_OF_CLIENT) {
      const problem = `the client has ${MAX_OF_CLIENT} endpoints, as many as it may have`;
      throw new WebhookError("TOO_MANY_WEBHOOKS", problem);
    }
    const [position] = await tx<{ number: string }[]>`
      SELECT number::text AS number FROM oauth.change_positions WHERE client_id = ${clientId}`;
    const source = newSecretSource(keys);
    const [added] = await tx<[ShownEndpoint]>`
      INSERT INTO oauth.webhooks AS w (client_id, url, secrets, sent_number)
      VALUES (${clientId}, ${url}, ${JSON.stringify([source])}::text::jsonb, ${position?.number ?? "0"}::text::bigint)
      RETURNING ${shownColumns(tx)}`;
    const webhook = { ...added, secrets: [source] };
    // An append in progress doesn't see this endpoint, so add a job, which waits for its commit.
    await tx`SELECT oauth.add_webhook_job(${clientId}, ${webhook.id}, NULL)`;
    // The rest of a URL may contain the partner's secret.
    const { host } = new URL(url);
    const detail = { webhook_id: webhook.id, host };
    await recordAudit(tx, { action: "webhook_add", clientId, detail }, actor);
    return { webhook, secret: endpointSecret(keys, webhook.id, source) };
  });
}

/** @throws {WebhookError} UNKNOWN_WEBHOOK */
export async function removeWebhook(sql: Queries, { clientId, id }: EndpointKey, actor: Actor) {
  await transaction(sql, async (tx) => {
    const { status } = await lockWebhook(tx, { clientId, id });
    await tx`DELETE FROM oauth.webhooks WHERE client_id = ${clientId} AND id = ${id}`;
    if (status === "paused") await addStatusNote(tx, clientId);
    const detail = { webhook_id: id };
    await recordAudit(tx, { action: "webhook_remove", clientId, detail }, actor);
  });
}

/**
 * Gives the endpoint a new secret. Webhooks are also signed with the former one for
 * `overlapSeconds`; with 0 every former secret ends immediately. @throws {WebhookError}
 * UNKNOWN_WEBHOOK; WEBHOOK_ROTATION_UNDER_WAY while an earlier former secret still works
 */
export async function rotateWebhookSecret(
  sql: Queries,
  { clientId, id }: EndpointKey,
  overlapSeconds: number,
  keys: WebhookKeys,
  actor: Actor,
): Promise<NewSecret> {
  return await transaction(sql, async (tx) => {
    const webhook = await lockWebhook(tx, { clientId, id });
    const [{ secrets: stored, now }] = await tx<[Pick<Endpoint, "secrets"> & { now: Date }]>`
      SELECT secrets, now() AS now FROM oauth.webhooks WHERE client_id = ${clientId} AND id = ${id}`;
    const running = stored.find(
      ({ expires_at }) => expires_at !== null && new Date(expires_at) > now,
    )?.expires_at;
    if (overlapSeconds > 0 && running) {
      const problem = `the secret of the last rotation still overlaps the former one, until ${running}`;
      throw new WebhookError("WEBHOOK_ROTATION_UNDER_WAY", problem);
    }
    const until = new Date(now.getTime() + overlapSeconds * 1000).toISOString();
    const former =
      overlapSeconds === 0
        ? []
        : stored.slice(0, 1).map((each) => ({ ...each, expires_at: until }));
    const source = newSecretSource(keys);
    const secrets = [source, ...former];
    await tx`
      UPDATE oauth.webhooks SET secrets = ${JSON.stringify(secrets)}::text::jsonb WHERE client_id = ${clientId} AND id = ${id}`;
    const detail = { webhook_id: id, former_secret_expires_at: former[0]?.expires_at ?? null };
    await recordAudit(tx, { action: "webhook_rotate_secret", clientId, detail }, actor);
    return { webhook: { ...webhook, secrets }, secret: endpointSecret(keys, id, source) };
  });
}

/**
 * Pauses or resumes the endpoint, and resets its failures. False if its status was the same.
 * @throws {WebhookError} UNKNOWN_WEBHOOK
 */
export async function setWebhookStatus(
  sql: Queries,
  { clientId, id }: EndpointKey,
  status: Endpoint["status"],
  actor: Actor,
): Promise<boolean> {
  return await transaction(sql, async (tx) => {
    const webhook = await lockWebhook(tx, { clientId, id });
    if (webhook.status === status) return false;
    await tx`
      UPDATE oauth.webhooks SET status = ${status}, failures = 0, failing_since = NULL, next_attempt_at = now()
      WHERE client_id = ${clientId} AND id = ${id}`;
    await addStatusNote(tx, clientId);
    const action = status === "paused" ? "webhook_pause" : "webhook_resume";
    await recordAudit(tx, { action, clientId, detail: { webhook_id: id } }, actor);
    return true;
  });
}

/**
 * Notes that an endpoint was paused, resumed, or removed while paused. The relay then writes the
 * feed's entry, which has `statusOfWebhooks` and no connection, and adds the jobs.
 */
async function addStatusNote(tx: Queries, clientId: string): Promise<void> {
  await tx`
    INSERT INTO oauth.change_notes (shop_id, client_id, connection_id, kinds) VALUES ('', ${clientId}, '', '{webhook}')`;
}

/** `paused` if at least one of the client's endpoints is, else `active`. Index: webhooks_pkey. */
export async function statusOfWebhooks(
  sql: Queries,
  clientId: string,
): Promise<Endpoint["status"]> {
  const paused =
    await sql`SELECT FROM oauth.webhooks WHERE client_id = ${clientId} AND status = 'paused' LIMIT 1`;
  return paused.length > 0 ? "paused" : "active";
}

/**
 * Adds a job for a test: a webhook without kinds, which is sent even to a paused endpoint. If the
 * same `form` is sent again, the test has the same id.
 * @throws {WebhookError} UNKNOWN_WEBHOOK; CLIENT_DISABLED
 */
export async function requestTest(
  sql: Queries,
  { clientId, id }: EndpointKey,
  actor: Actor,
  form?: string,
): Promise<string> {
  return await transaction(sql, async (tx) => {
    const clients =
      await tx`SELECT FROM directory.clients WHERE client_id = ${clientId} AND status = 'active'`;
    if (clients.length === 0)
      throw new WebhookError("CLIENT_DISABLED", `there is no active client ${clientId}`);
    const found = await tx`SELECT FROM oauth.webhooks WHERE client_id = ${clientId} AND id = ${id}`;
    if (found.length === 0) throw unknownWebhook(id);
    const messageId = testIdOf(id, form);
    await tx`SELECT oauth.add_webhook_job(${clientId}, ${id}, ${messageId})`;
    const detail = { webhook_id: id, hint_id: messageId };
    await recordAudit(tx, { action: "webhook_test", clientId, detail }, actor);
    return messageId;
  });
}
