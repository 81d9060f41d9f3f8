import { SCOPES } from "@partner-connect/contract";
import { IGNORED_PARAMETERS } from "../ignored-parameters.ts";
import { AUTHORIZE_PATH, TOKEN_PATH } from "../oauth/protocol.ts";
import { BASE_URL } from "../served-document.ts";

const header = (description: string, example: string | number, format?: "uri-reference") => ({
  description,
  schema: { type: typeof example === "number" ? "integer" : "string", ...(format && { format }) },
  example,
});

export const HEADERS: Readonly<Record<string, object>> = {
  "x-request-id": header("Names this answer. Give it when you ask us about one.", "req-1a"),
  "x-ratelimit-limit": header("Calls that this caller may make a minute.", 600),
  "x-ratelimit-remaining": header("Calls that are left in this minute.", 599),
  "x-ratelimit-reset": header("Whole seconds until the count begins anew.", 60),
  "retry-after": header("Whole seconds to wait before the same request is sent again.", 1),
  "www-authenticate": header(
    "How to authenticate, and what was wrong with the credential (RFC 6750 §3, RFC 7617 §2, RFC 9728 §5.1).",
    `Bearer realm="partner-connect", error="invalid_token", resource_metadata="${BASE_URL}/.well-known/oauth-protected-resource/api"`,
  ),
  etag: header(
    "The document's entity tag. Send it as `If-None-Match` to be told 304 while it has not changed.",
    'W/"XfHViHdp3ywwT5jXpODcvMiC9gI="',
  ),
  "cache-control": header("Who may keep the answer, and for how long (RFC 9111 §5.2).", "public, max-age=300"),
  [IGNORED_PARAMETERS]: {
    ...header(
      "Query parameters that this list doesn't know, and has passed over: their names, percent-encoded, ten at most and cut to 64 characters. It is there only if there are such.",
      "from, page",
    ),
    required: false,
  },
  "access-control-allow-origin": header("Scripts of any site may read the answer.", "*"),
  vary: header(
    "Which headers of the request the answer depends on (RFC 9110 §12.5.5).",
    "authorization, accept-encoding",
  ),
  location: header("Where the browser goes on.", "https://partner.example/callback?code=…", "uri-reference"),
};

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
    description: "The `client_id` and `client_secret` of a partner, at the endpoints of the authorization server.",
  },
};
