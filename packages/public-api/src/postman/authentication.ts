import { AUTHORIZE_PATH, TOKEN_PATH } from "../oauth/protocol.ts";

const attributes = (values: Readonly<Record<string, string | boolean>>) =>
  Object.entries(values).map(([key, value]) => ({ key, value, type: typeof value }));

/** Postman's own run of the flow, with PKCE; or the access token that the token requests of the collection have kept. */
export const OAUTH_AUTH = {
  type: "oauth2",
  oauth2: attributes({
    accessToken: "{{access_token}}",
    addTokenTo: "header",
    headerPrefix: "Bearer",
    tokenName: "Partner Connect",
    grant_type: "authorization_code_with_pkce",
    challengeAlgorithm: "S256",
    authUrl: `{{base_url}}${AUTHORIZE_PATH}`,
    accessTokenUrl: `{{base_url}}${TOKEN_PATH}`,
    refreshTokenUrl: `{{base_url}}${TOKEN_PATH}`,
    redirect_uri: "{{redirect_uri}}",
    clientId: "{{client_id}}",
    clientSecret: "{{client_secret}}",
    client_authentication: "header",
    scope: "{{scope}}",
    useBrowser: false,
  }),
};

export const API_KEY_AUTH = {
  type: "apikey",
  apikey: attributes({ key: "Authorization", value: "{{api_key}}", in: "header" }),
};

export const CLIENT_AUTH = {
  type: "basic",
  basic: attributes({ username: "{{client_id}}", password: "{{client_secret}}" }),
};

export const NO_AUTH = { type: "noauth" };
