import { connectionStatuses } from "@partner-connect/connections";
import {
  type Change,
  type ChangesCursor,
  formatCursor,
  type PositionWatch,
  parseCursor,
  readChanges,
} from "@partner-connect/connections/changes";
import { statusOfWebhooks } from "@partner-connect/connections/webhooks";
import { PAGE_LIMIT } from "@partner-connect/contract/openapi";
import { noteFacts } from "@partner-connect/service-runtime";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { authenticateClient } from "../clients/client-authentication.ts";
import { addClientEndpoint } from "../clients/client-endpoint.ts";
import { TokenError } from "../clients/token-error.ts";
import { CHANGES_PATH, CURSOR_EXPIRED } from "../protocol.ts";
import { type ChangesQuery, schema } from "./changes.schema.ts";

/** GET /oauth/api/changes: which of the client's connections changed, and how. */
export function changesRoute(app: FastifyInstance, positions: PositionWatch): void {
  const { clients, sql, config } = app;

  addClientEndpoint(app, {
    url: CHANGES_PATH,
    method: "GET",
    limit: "partner_api",
    schema,
    async answer(request, reply, { clientId }) {
      const query = request.query as ChangesQuery;
      const { limit = PAGE_LIMIT.fallback, wait: seconds = 0 } = query;
      const after = parseAfter(query.after, clientId);
      let page = await readPage(clientId, after, limit);
      if (page?.data.length === 0 && seconds > 0) {
        const { number } = page.cursor;
        const call = new AbortController();
        reply.raw.once("close", () => call.abort());
        if (reply.raw.destroyed) call.abort(); // closed before the listener was added
        await positions.wait(clientId, number, call.signal, seconds * 1000);
        if (reply.raw.destroyed) return reply.send();
        // The client may have been disabled during the wait, or its secret may have ended.
        await authenticateClient(request.raw, null, clients, new Date());
        page = await readPage(clientId, after, limit);
      }
      if (page === null) return sendCursorExpired(request, reply);
      return reply.send({
        data: page.data,
        cursor: formatCursor(page.cursor, clientId),
        has_more: page.hasMore,
      });
    },
  });

  async function readPage(clientId: string, after: ChangesCursor | null, limit: number) {
    const page = await readChanges(sql, clientId, after, limit);
    return page && { ...page, data: await withStatuses(page.changes, clientId) };
  }

  /** Reads the statuses after the entries, so that no status is older than its entry. */
  async function withStatuses(changes: readonly Change[], clientId: string) {
    const shops = [...new Set(changes.flatMap(({ shopId }) => shopId ?? []))];
    const [statuses, webhookStatus] = await Promise.all([
      shops.length > 0
        ? connectionStatuses(sql, clientId, shops, config.tokens.refreshTokenTtl)
        : null,
      changes.some(isWebhookChange) ? statusOfWebhooks(sql, clientId) : null,
    ]);
    return changes.map((change) => ({
      connection_id: change.connectionId,
      shop_id: change.shopId,
      kind: change.kind,
      // A connection that is deleted by now had ended before.
      status: isWebhookChange(change)
        ? webhookStatus
        : (statuses?.get(change.connectionId ?? "") ?? "revoked"),
      at: change.at,
    }));
  }
}

const isWebhookChange = ({ kind }: Change): boolean => kind === "webhook";

/** @throws {TokenError} unless `value` is a cursor of this client's changes */
function parseAfter(value: string | undefined, clientId: string): ChangesCursor | null {
  if (value === undefined) return null;
  const cursor = parseCursor(value, clientId);
  if (cursor) return cursor;
  const description = "after is not a cursor of this client's changes.";
  throw new TokenError("invalid_request", description, "unknown_cursor", { param: "after" });
}

/** Sends 410, because the database was restored to a state before the client's cursor. */
function sendCursorExpired(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  noteFacts(request, { reason: "cursor_expired", error: "cursor_expired" });
  return reply.code(410).send({ error: "cursor_expired", error_description: CURSOR_EXPIRED });
}

/** The route's name in the metrics. Long polls have a separate one, because they wait. */
export const measuredAs = ({ routeOptions, url }: FastifyRequest): string | undefined =>
  routeOptions.url === CHANGES_PATH && /[?&]wait=[1-9]/.test(url)
    ? `${CHANGES_PATH}?wait`
    : routeOptions.url;
