import { SCOPES } from "@partner-connect/contract";
import { AUTHORIZE_PATH, TOKEN_PATH } from "../oauth/paths.ts";

const GRANTS: Readonly<Record<(typeof SCOPES)[number], string>> = {
  "responses:read": "Read responses, questions and deletions. On all plans.",
  "sources:write": "Create and update attribution sources. On the advanced attribution plan.",
};

/** Its URLs are relative here, as none may have a placeholder; what is served has them whole. */
const CODE_FLOW = {
  authorizationUrl: AUTHORIZE_PATH,
  tokenUrl: TOKEN_PATH,
  refreshUrl: TOKEN_PATH,
  scopes: Object.fromEntries(SCOPES.map((scope) => [scope, GRANTS[scope]])),
};

export const SECURITY_SCHEMES = {
  oauth2: {
    type: "oauth2",
    description:
      "For partners: `Authorization: Bearer …` with the access token of one connection. PKCE with `S256` is required on every " +
      "authorization request. The client authenticates at the token endpoint by HTTP Basic and in no other way. Access tokens live " +
      "`expires_in` seconds; a refresh token doesn't rotate.",
    flows: { authorizationCode: CODE_FLOW },
  },
  api_key: {
    type: "apiKey",
    in: "header",
    name: "Authorization",
    description:
      "For a merchant's own shop: the API key alone is the header's value, without `Bearer` or any other prefix.",
  },
  client: {
    type: "http",
    scheme: "basic",
    description: "The `client_id` and `client_secret` of a partner, at the token endpoint.",
  },
};
