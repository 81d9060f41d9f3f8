import { timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { type Client, type ClientSecret, hashCredential } from "@partner-connect/directory";
import { CLIENT_AUTHENTICATION_FAILED, CLIENT_DISABLED } from "@partner-connect/public-api";
import type { Clients } from "../clients/client-cache.ts";
import { type ClientRefusal, TokenError } from "./token-error.ts";

const BASIC = /^basic +([A-Za-z0-9+/_-]+={0,2}) *$/i;

/** No secret has this hash. It is compared where there is no client, so that every guess takes the same time. */
const NO_SECRET: ClientSecret = { hash: Buffer.alloc(32), expiresAt: null, lastUsedAt: null };

/**
 * The client of a token request, by HTTP Basic and nothing else (spec, Authentication 3). Every refusal is the same, but that a caller with
 * a live secret is told that its client is disabled. `form`: the body, if it is one. @throws {TokenError} invalid_client
 */
export async function authenticateClient(
  request: IncomingMessage,
  form: URLSearchParams | null,
  clients: Pick<Clients, "find" | "findNow" | "secretUses">,
  now: Date,
): Promise<Client> {
  const credentials = basicCredentials(request);
  if (!credentials) throw refusal(request.headers.authorization ? "malformed_credentials" : "no_credentials");
  if (carriesCredentials(request, form, credentials.clientId)) throw refusal("misplaced_credentials");
  const presented = hashCredential(credentials.secret);
  let client = await clients.find(credentials.clientId);
  let known = liveSecret(client, presented, now);
  // The secret may have been made since the client was cached. The limit of token calls bounds how often a guess asks.
  if (!known) {
    client = await clients.findNow(credentials.clientId);
    known = liveSecret(client, presented, now);
  }
  // The id that was sent is logged only if it is a client's: it may be a secret in the wrong place.
  if (!client) throw refusal("unknown_client");
  const { clientId } = client;
  if (!known)
    throw refusal(
      client.secrets.some(({ hash }) => hash.equals(presented)) ? "expired_secret" : "wrong_secret",
      clientId,
    );
  if (client.status !== "active") throw refusal("client_disabled", clientId);
  clients.secretUses.note(clientId, known, now);
  return client;
}

function liveSecret(client: Client | null, presented: Buffer, now: Date): ClientSecret | undefined {
  const live = (client?.secrets ?? []).filter(({ expiresAt }) => expiresAt === null || expiresAt > now);
  let known: ClientSecret | undefined;
  for (const secret of live.length > 0 ? live : [NO_SECRET]) {
    if (timingSafeEqual(presented, secret.hash)) known = secret;
  }
  return known;
}

/** RFC 6749 §2.3.1. Percent-encoded and raw are the same for our ids and secrets. */
function basicCredentials(request: IncomingMessage): { clientId: string; secret: string } | null {
  const sent = request.rawHeaders.filter(
    (header, index) => index % 2 === 0 && header.toLowerCase() === "authorization",
  );
  const encoded = sent.length === 1 && BASIC.exec(request.headers.authorization ?? "")?.[1];
  if (!encoded) return null;
  const [id, ...rest] = Buffer.from(encoded, "base64").toString("utf8").split(":");
  if (!id || rest.length === 0) return null;
  try {
    return { clientId: decodeURIComponent(id), secret: decodeURIComponent(rest.join(":")) };
  } catch {
    return null;
  }
}

/** A secret outside the header, or a `client_id` that isn't the header's; empty counts as left out (RFC 6749 §3.1). */
function carriesCredentials(request: IncomingMessage, form: URLSearchParams | null, clientId: string): boolean {
  const query = request.url?.split("?")[1];
  const places = [...(query ? [new URLSearchParams(query)] : []), ...(form ? [form] : [])];
  const sent = (name: string) => places.flatMap((place) => place.getAll(name)).filter((value) => value !== "");
  return sent("client_secret").length > 0 || sent("client_id").some((value) => value !== clientId);
}

function refusal(reason: ClientRefusal, clientId?: string): TokenError {
  const description = reason === "client_disabled" ? CLIENT_DISABLED : CLIENT_AUTHENTICATION_FAILED;
  return new TokenError("invalid_client", description, reason, { clientId });
}
