import { timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { type Client, hashCredential, type StoredClientSecret } from "@partner-connect/directory";
import { headerValues } from "@partner-connect/service-runtime";
import { CLIENT_AUTHENTICATION_FAILED, CLIENT_DISABLED, queryOf } from "../protocol.ts";
import type { Clients } from "./client-cache.ts";
import { type ClientRefusal, TokenError } from "./token-error.ts";

const BASIC = /^basic +([A-Za-z0-9+/_-]+={0,2}) *$/i;

/** No secret has this hash. It is compared if none is valid, so that all guesses take as long. */
const NO_SECRET: StoredClientSecret = { hash: Buffer.alloc(32), expiresAt: null, lastUsedAt: null };

/**
 * Authenticates the client by HTTP Basic (guides/errors.md). All refusals are equal, except that a
 * disabled client with a valid secret learns that it is disabled. @param parameters of the body
 * @throws {TokenError} invalid_client
 */
export async function authenticateClient(
  request: IncomingMessage,
  parameters: URLSearchParams | null,
  clients: Pick<Clients, "find" | "findNow" | "secretUses">,
  now: Date,
): Promise<Client> {
  const credentials = basicCredentials(request);
  if (!credentials)
    throw refusal(request.headers.authorization ? "malformed_credentials" : "no_credentials");
  if (hasMisplacedCredentials(request, parameters, credentials.clientId))
    throw refusal("misplaced_credentials");
  const presented = hashCredential(credentials.secret);
  let client = await clients.find(credentials.clientId);
  let match = liveSecret(client, presented, now);
  // The cached client may lack a new secret. The endpoint's rate limit bounds these queries.
  if (!match) {
    client = await clients.findNow(credentials.clientId);
    match = liveSecret(client, presented, now);
  }
  // Log the id only if it is a client's, because otherwise it may be a misplaced secret.
  if (!client) throw refusal("unknown_client");
  const { clientId } = client;
  if (!match) {
    const isExpired = client.secrets.some(({ hash }) => hash.equals(presented));
    throw refusal(isExpired ? "expired_secret" : "wrong_secret", clientId);
  }
  if (client.status !== "active") throw refusal("client_disabled", clientId);
  clients.secretUses.recordUse(clientId, match, now);
  return client;
}

function liveSecret(
  client: Client | null,
  presented: Buffer,
  now: Date,
): StoredClientSecret | undefined {
  const live = (client?.secrets ?? []).filter(
    ({ expiresAt }) => expiresAt === null || expiresAt > now,
  );
  let match: StoredClientSecret | undefined;
  for (const secret of live.length > 0 ? live : [NO_SECRET]) {
    if (timingSafeEqual(presented, secret.hash)) match = secret;
  }
  return match;
}

/** The Basic header's id and secret, percent-decoded (RFC 6749 §2.3.1); null if malformed. */
function basicCredentials(request: IncomingMessage): { clientId: string; secret: string } | null {
  const [sent = "", ...others] = headerValues(request.rawHeaders, "authorization");
  const encoded = BASIC.exec(sent)?.[1];
  if (!encoded || others.length > 0) return null;
  const [id, ...rest] = Buffer.from(encoded, "base64").toString("utf8").split(":");
  if (!id || rest.length === 0) return null;
  try {
    return { clientId: decodeURIComponent(id), secret: decodeURIComponent(rest.join(":")) };
  } catch {
    return null;
  }
}

/**
 * True if a secret is outside the header, or a `client_id` differs from the header's. Empty
 * parameters count as absent (RFC 6749 §3.1).
 */
function hasMisplacedCredentials(
  request: IncomingMessage,
  parameters: URLSearchParams | null,
  clientId: string,
): boolean {
  const places = [queryOf(request), ...(parameters ? [parameters] : [])];
  const sent = (name: string) =>
    places.flatMap((place) => place.getAll(name)).filter((value) => value !== "");
  return sent("client_secret").length > 0 || sent("client_id").some((value) => value !== clientId);
}

function refusal(reason: ClientRefusal, clientId?: string): TokenError {
  const description = reason === "client_disabled" ? CLIENT_DISABLED : CLIENT_AUTHENTICATION_FAILED;
  return new TokenError("invalid_client", description, reason, { clientId });
}
