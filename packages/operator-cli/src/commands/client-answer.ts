import type { ClientSummary } from "@partner-connect/directory";
import type { Answer } from "../answer.ts";
import { secretShownOnce } from "../secret-shown-once.ts";

export function clientJson(client: ClientSummary) {
  return {
    client_id: client.clientId,
    name: client.name,
    redirect_uris: client.redirectUris,
    scope: client.scope.join(" "),
    grant_types: client.grantTypes,
  };
}

/** What `client create` and `client rotate-secret` answer: the client with its new secret. */
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
