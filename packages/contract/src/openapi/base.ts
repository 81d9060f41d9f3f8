import type { Scope } from "../scope.ts";

/** Placeholder of the partners' base URL in `openapi.json`. */
export const BASE_URL = "{base_url}";

export const AUTHORIZE_PATH = "/oauth/api/authorize";
export const TOKEN_PATH = "/oauth/api/token";

/** Response header with the names of ignored query parameters. */
export const IGNORED_PARAMETERS = "x-ignored-parameters";

const TAGS = {
  Authorization:
    "Connecting a shop: the authorization code flow with PKCE, and refreshing access tokens.",
  Connections: "All shops of a partner's client: their status, and the feed of changes.",
  Connection: "The shop that a credential gives access to.",
  Responses: "Customers' answers to survey questions.",
  Questions: "The survey questions that customers answer.",
  Sources: "Attribution sources that partners add to a shop.",
  Discovery: "Metadata from which client libraries configure themselves.",
};

const DESCRIPTION = `Read the survey responses of merchants' shops, and add attribution sources to them.

A merchant calls for one shop with that shop's **API key**. A partner connects the shops of many merchants by **OAuth 2.0**:
the authorization code flow with PKCE, one shop for each authorization. An access token, like an API key, belongs to one shop;
so no call names a shop.

**What may change.** New endpoints, new optional parameters, new response fields, new values where a list of values says so,
and new error codes can appear at any time: ignore fields that you don't know, and act by the status for an unknown \`error\`. Nothing described here is removed or changes its meaning without notice.

**Forms.** JSON is UTF-8. Times are RFC 3339 in UTC with milliseconds, such as \`2026-11-21T01:02:03.123Z\`. Amounts of money are
decimal strings, such as \`"12.50"\`. Ids are opaque.

**Errors.** Branch on the status and on \`error\`. A 5xx never means that your credentials or your request are wrong: wait
\`retry-after\` seconds and retry; a 500 has none: wait 5 s, then twice as long each time, at most five times. Every response has an \`x-request-id\`: include it when you contact support.
`;

const header = (description: string, example: string | number, format?: "uri-reference") => ({
  description,
  schema: { type: typeof example === "number" ? "integer" : "string", ...(format && { format }) },
  example,
});

export const HEADERS = {
  "x-request-id": header(
    "Identifies this response. Include it when you contact support.",
    "req-1a",
  ),
  "x-ratelimit-limit": header("Calls allowed per minute.", 600),
  "x-ratelimit-remaining": header("Calls remaining in this minute.", 599),
  "x-ratelimit-reset": header("Whole seconds until the count resets.", 60),
  "retry-after": header("Whole seconds to wait before you retry.", 1),
  "www-authenticate": header(
    "How to authenticate, and what was wrong with the credential (RFC 6750 §3, RFC 7617 §2, RFC 9728 §5.1).",
    `Bearer realm="partner-connect", error="invalid_token", resource_metadata="${BASE_URL}/.well-known/oauth-protected-resource/api"`,
  ),
  etag: header(
    "The document's entity tag. Send it as `If-None-Match` to get 304 while the document is unchanged.",
    'W/"XfHViHdp3ywwT5jXpODcvMiC9gI="',
  ),
  "cache-control": header(
    "Which caches may store the response, and for how long (RFC 9111 §5.2).",
    "public, max-age=300",
  ),
  [IGNORED_PARAMETERS]: {
    ...header(
      "Names of unknown query parameters or body fields, which were ignored: percent-encoded, at most ten, cut to 64 characters. Absent if there are none.",
      "from, page",
    ),
    required: false,
  },
  "access-control-allow-origin": header("Scripts of any site may read the response.", "*"),
  vary: header(
    "Request headers on which the response depends (RFC 9110 §12.5.5).",
    "authorization, accept-encoding",
  ),
  location: header(
    "Where the browser is redirected to.",
    "https://partner.example/callback?code=pcc_4f8a&state=xyz&iss=https%3A%2F%2Fconnect.example",
    "uri-reference",
  ),
} as const;

export type HeaderName = keyof typeof HEADERS;

const GRANTS: Readonly<Record<Scope, string>> = {
  "responses:read": "Read responses, questions and deletions. On all plans.",
  "sources:write": "Create and update attribution sources. On the advanced attribution plan.",
};

const SECURITY_SCHEMES = {
  oauth2: {
    type: "oauth2",
    description:
      "For partners: `Authorization: Bearer …` with the access token of one connection. PKCE with `S256` is required on every " +
      "authorization request. The client authenticates at the token endpoint only by HTTP Basic. Access tokens are valid for " +
      "`expires_in` seconds; refresh tokens don't rotate.",
    // Relative, because these URLs can't have a placeholder; the served document has absolute ones.
    flows: {
      authorizationCode: {
        authorizationUrl: AUTHORIZE_PATH,
        tokenUrl: TOKEN_PATH,
        refreshUrl: TOKEN_PATH,
        scopes: GRANTS,
      },
    },
  },
  api_key: {
    type: "apiKey",
    in: "header",
    name: "Authorization",
    description:
      "For a merchant's own shop: the header's value is only the API key, without `Bearer` or any other prefix.",
  },
  client: {
    type: "http",
    scheme: "basic",
    description:
      "The `client_id` and `client_secret` of a partner, at the endpoints of the authorization server.",
  },
} as const;

/** The document's parts besides operations. Raise `version` when partners see a change. */
export const BASE = {
  openapi: "3.1.0",
  info: { title: "Partner Connect API", version: "1.3", description: DESCRIPTION },
  servers: [
    {
      url: BASE_URL,
      variables: {
        base_url: {
          default: "http://localhost:8080",
          description: "The base URL that you were given.",
        },
      },
    },
  ],
  tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
  components: { securitySchemes: SECURITY_SCHEMES },
};
