import type { ClientSummary, Rotation } from "@partner-connect/directory";
import { type Answer, secretShownOnce } from "../../run/command.ts";
import { countOf } from "../../terminal/progress.ts";

export function clientJson(client: ClientSummary) {
  return {
    client_id: client.clientId,
    name: client.name,
    redirect_uris: client.redirectUris,
    scope: client.scope.join(" "),
    grant_types: client.grantTypes,
  };
}

/** With what merchants read of it, for the commands that are about one client. */
export function wholeClientJson(client: ClientSummary) {
  return {
    ...clientJson(client),
    optional_scope: client.optionalScope.join(" "),
    status: client.status,
    verified_at: client.verifiedAt?.toISOString() ?? null,
    publisher: client.publisher,
    website: client.website,
    privacy_policy: client.privacyPolicy,
    contact: client.contact,
    /** A path below the public base URL. */
    logo: client.logoPath,
  };
}

/** The same for people. */
export function clientFields(client: ClientSummary, publicBaseUrl: string | null) {
  const { redirect_uris: _, grant_types, ...shown } = wholeClientJson(client);
  const logo = client.logoPath && `${publicBaseUrl ?? ""}${client.logoPath}`;
  return Object.entries({ ...shown, logo, grant_types: grant_types.join(" ") });
}

/** A client with its new secret: what `client create` and `client rotate-secret` answer. */
export function clientWithSecret(sentence: string, client: ClientSummary, secret: string): Answer {
  const { client_id, name, ...rest } = clientJson(client);
  return secretShownOnce({
    sentence,
    shown: [
      ["client_id", client_id],
      ["client_secret", secret],
      ["redirect_uris", rest.redirect_uris.join(" ")],
      ["scope", rest.scope],
      ["grant_types", rest.grant_types.join(" ")],
    ],
    json: { client_id, client_secret: secret, name, ...rest },
    next: "Hand the secret to the partner",
  });
}

/** `connections`: of an ended secret, those that could be refreshed by it; null: not counted. Undefined where the former one goes on. */
export function rotationAnswer(rotation: Rotation, connections?: number | null): Answer {
  const { client, secret, formerSecretExpiresAt: end, ended, at } = rotation;
  const former = end ? `works until ${end.toISOString()}` : "has ended";
  const sentence = `Client ${client.name} has a new secret; the former one ${former}.`;
  const told = connections === undefined ? sentence : `${sentence} ${endedText(ended, at, connections)}`;
  const answer = clientWithSecret(told, client, secret);
  const json = {
    ...(answer.json as Record<string, unknown>),
    former_secret_expires_at: end?.toISOString() ?? null,
    ...(connections !== undefined && { ended_secrets: ended, refused_since: at.toISOString(), connections }),
  };
  return { ...answer, json };
}

function endedText(ended: number, at: Date, connections: number | null): string {
  const reach = connections === null ? "Its connections were not counted" : countOf(connections, "connection");
  const could = connections === null ? "" : " could be refreshed by what ended";
  return `Ended ${countOf(ended, "secret")}, refused since ${at.toISOString()}, by every replica within a second. ${reach}${could}; an access token that was made before works until it expires, 15 minutes at most by default ('connection revoke' ends it).`;
}
