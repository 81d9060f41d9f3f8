import type { ClientSummary, Rotation } from "@partner-connect/directory";
import { type Answer, secretShownOnce } from "../../run/command.ts";

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
    status: client.status,
    publisher: client.publisher,
    website: client.website,
    privacy_policy: client.privacyPolicy,
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

export function rotationAnswer({ client, secret, formerSecretExpiresAt: end }: Rotation): Answer {
  const former = end ? `works until ${end.toISOString()}` : "has ended";
  const answer = clientWithSecret(`Client ${client.name} has a new secret; the former one ${former}.`, client, secret);
  const json = answer.json as Record<string, unknown>;
  return { ...answer, json: { ...json, former_secret_expires_at: end?.toISOString() ?? null } };
}
