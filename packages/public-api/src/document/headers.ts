import { BASE_URL } from "../served-document.ts";

/** A header of answers; its example says whether it is a number. */
const header = (description: string, example: string | number, format?: "uri-reference") => ({
  description,
  schema: { type: typeof example === "number" ? "integer" : "string", ...(format && { format }) },
  example,
});

/** The headers of answers, by their names: components of the document. */
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
    "The page's entity tag. Send it as `If-None-Match` to be told 304 while nothing on the page has changed.",
    'W/"1kf3pq0-9x2"',
  ),
  "cache-control": header("Who may keep the answer, and for how long (RFC 9111 §5.2).", "public, max-age=300"),
  vary: header(
    "Which headers of the request the answer depends on (RFC 9110 §12.5.5).",
    "authorization, accept, accept-encoding",
  ),
  location: header("Where the browser goes on.", "https://partner.example/callback?code=…", "uri-reference"),
};
