import { TOKEN_PATH } from "../oauth/protocol.ts";
import { LOCAL_URL } from "../tool-files.ts";

const OWN = "config['credentials']";

/**
 * By the shop's own API key, or as a partner by a refresh token. Airbyte leaves the client's credentials out of the form where these
 * headers have `Authorization`, written just so.
 */
export const AUTHENTICATOR = {
  type: "SelectiveAuthenticator",
  authenticator_selection_path: ["credentials", "auth_type"],
  authenticators: {
    api_key: {
      type: "ApiKeyAuthenticator",
      api_token: `{{ ${OWN}['api_key'] }}`,
      inject_into: { type: "RequestOption", inject_into: "header", field_name: "Authorization" },
    },
    oauth: {
      type: "OAuthAuthenticator",
      token_refresh_endpoint: `{{ config['base_url'] }}${TOKEN_PATH}`,
      client_id: `{{ ${OWN}['client_id'] }}`,
      client_secret: `{{ ${OWN}['client_secret'] }}`,
      refresh_token: `{{ ${OWN}['refresh_token'] }}`,
      grant_type: "refresh_token",
      refresh_request_headers: {
        Authorization: `Basic {{ (${OWN}['client_id'] ~ ':' ~ ${OWN}['client_secret']) | base64encode }}`,
      },
    },
  },
};

const secret = (title: string, order: number) => ({ type: "string", title, airbyte_secret: true, order });

/** What a user fills in. */
export const SPEC = {
  type: "Spec",
  connection_specification: {
    $schema: "http://json-schema.org/draft-07/schema#",
    type: "object",
    required: ["base_url", "start_date", "credentials"],
    additionalProperties: true,
    properties: {
      base_url: {
        type: "string",
        title: "Base URL",
        description: "The address that you were given.",
        default: LOCAL_URL,
        order: 0,
      },
      start_date: {
        type: "string",
        title: "Start",
        description: "Changes and deletions from this time on.",
        format: "date-time",
        pattern: "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$",
        default: "2010-01-01T00:00:00.000Z",
        order: 1,
      },
      credentials: {
        type: "object",
        title: "Credential",
        order: 2,
        oneOf: [
          {
            type: "object",
            title: "The shop's API key",
            required: ["auth_type", "api_key"],
            properties: { auth_type: { type: "string", const: "api_key", order: 0 }, api_key: secret("API key", 1) },
          },
          {
            type: "object",
            title: "A partner's connection",
            required: ["auth_type", "client_id", "client_secret", "refresh_token"],
            properties: {
              auth_type: { type: "string", const: "oauth", order: 0 },
              client_id: { type: "string", title: "Client id", order: 1 },
              client_secret: secret("Client secret", 2),
              refresh_token: secret("Refresh token of the connection", 3),
            },
          },
        ],
      },
    },
  },
};
