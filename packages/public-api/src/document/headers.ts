import { BASE_URL } from "../served-document.ts";

/** The headers of answers, by their names: components of the document. */
export const HEADERS: Readonly<Record<string, object>> = {
  "x-request-id": {
    description: "Names this answer. Give it when you ask us about one.",
    schema: { type: "string" },
    example: "req-1a",
  },
  "x-ratelimit-limit": {
    description: "Calls that this caller may make a minute.",
    schema: { type: "integer" },
    example: 600,
  },
  "x-ratelimit-remaining": {
    description: "Calls that are left in this minute.",
    schema: { type: "integer" },
    example: 599,
  },
  "x-ratelimit-reset": {
    description: "Whole seconds until the count begins anew.",
    schema: { type: "integer" },
    example: 60,
  },
  "retry-after": {
    description: "Whole seconds to wait before the same request is sent again.",
    schema: { type: "integer" },
    example: 1,
  },
  "www-authenticate": {
    description:
      "How to authenticate, and what was wrong with the credential (RFC 6750 §3, RFC 7617 §2, RFC 9728 §5.1).",
    schema: { type: "string" },
    example: `Bearer realm="partner-connect", error="invalid_token", resource_metadata="${BASE_URL}/.well-known/oauth-protected-resource/api"`,
  },
  etag: {
    description:
      "The page's entity tag. Send it as `If-None-Match` to be told 304 while nothing on the page has changed.",
    schema: { type: "string" },
    example: 'W/"1kf3pq0-9x2"',
  },
  "cache-control": {
    description: "Who may keep the answer, and for how long (RFC 9111 §5.2).",
    schema: { type: "string" },
    example: "public, max-age=300",
  },
  vary: {
    description: "Which headers of the request the answer depends on (RFC 9110 §12.5.5).",
    schema: { type: "string" },
    example: "authorization, accept, accept-encoding",
  },
  location: {
    description: "Where the browser goes on.",
    schema: { type: "string", format: "uri-reference" },
    example: "https://partner.example/callback?code=…",
  },
};
