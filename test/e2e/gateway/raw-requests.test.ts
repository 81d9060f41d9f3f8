import { connect } from "node:net";
import { freePort } from "@partner-connect/local-stack";
import { afterAll, beforeAll, expect, test } from "vitest";
import { onboardApiKey, onboardMerchant, onboardShop } from "../../harness/actors/onboarding.ts";
import { type Caddy, startCaddy } from "../../harness/stack/caddy.ts";
import { mainStack } from "../../harness/stack/stacks.ts";

/**
 * The same bytes to the local gateway, to Caddy with the production Caddyfile, and to the service
 * behind them: a name, the request, the answer. In a request ↵ is CRLF, ↓ a single LF, {9} nine
 * bytes, KEY an API key; version and Host are filled in, and a length where there is a body (behind
 * ↵↵). A request that begins with ! is sent as it is. An answer is its status and its `error` or
 * other content; "closed" ends the connection, and "bare" has none of our headers. A different
 * answer of one of the three follows a / with the cause; "-" means that it does not apply.
 */
const TABLE = `methods
GET                             | GET /api/responses                        | 401 unauthorized
HEAD                            | HEAD /.well-known/oauth-authorization-server | 200
HEAD of a refusal               | HEAD /api/responses                       | 401
HEAD of what starts something   | HEAD /oauth/api/authorize                 | 405 GET
OPTIONS                         | OPTIONS /api/sources                      | 405 method_not_allowed POST
DELETE with a body              | DELETE /api/responses↵↵x                  | 405 method_not_allowed GET, HEAD
PROPFIND                        | PROPFIND /api/responses                   | 405 method_not_allowed GET, HEAD
TRACE                           | TRACE /api/responses                      | 405 method_not_allowed GET, HEAD
PROPFIND of a token             | PROPFIND /oauth/api/token                 | 405 method_not_allowed POST
LINK to a page                  | LINK /oauth/authorization?x=/docs         | 405 method_not_allowed GET, HEAD, POST
PROPFIND of a partner's page    | PROPFIND /partner/x/connections           | 405 method_not_allowed GET, HEAD
TRACE of a guide                | TRACE /docs/errors                        | 405 method_not_allowed GET, HEAD
unknown method                  | FOO /api/responses                        | 400 invalid_request, closed / caddy 400 invalid_request: its connection with the service is closed
method in lower case            | get /api/responses                        | 400 invalid_request, closed / caddy 400 invalid_request: its connection with the service is closed

targets
absolute target names the host  | GET http://api.localhost/api/responses↵Host: evil.example | 401 unauthorized
absolute target of https        | GET https://localhost/api/responses       | 401 unauthorized
absolute target, another host   | GET http://evil.example/api/responses     | 404 not_found / service -: hosts are for the gateway
asterisk                        | OPTIONS *                                 | 404 not_found / caddy 200 bare: Go answers
no slash                        | GET api/responses                         | 400 invalid_request, closed / caddy 400 bare, closed: Go answers
two slashes                     | GET //api/responses                       | 404 not_found
slash at the end                | GET /api/responses/                       | 404 not_found
upper case                      | GET /API/responses                        | 404 not_found
encoded slash                   | GET /api/responses%2f                     | 404 not_found
encoded letter                  | GET /%61pi/responses                      | 404 not_found / caddy 401 unauthorized: it compares decoded paths
dot                             | GET /api/./responses                      | 404 not_found
two dots                        | GET /api/../oauth/api/jwks                | 404 not_found
no percent-encoding             | GET /api/%zz                              | 404 not_found / caddy 400 bare, closed: Go answers
encoded NUL                     | GET /oauth/%00                            | 404 not_found
NUL                             | GET /api/\0                               | 400 invalid_request, closed / caddy 400 bare, closed: Go answers
space                           | GET /api/a b                              | 400 invalid_request, closed / caddy 400 bare, closed: Go answers
unread parameter is not UTF-8   | GET /api/responses?x=%E9↵Authorization: KEY | 200
state is not UTF-8              | GET /oauth/api/authorize?state=%E9        | 400 This link doesn’t work
20 KB                           | GET /api/responses?x={20000}              | 401 unauthorized

hosts
base host, upper case, a port   | GET /.well-known/oauth-authorization-server↵Host: LOCALHOST:1 | 200
address                         | GET /oauth/api/jwks↵Host: 127.0.0.1       | 200 / caddy 404 not_found: it has names only
authorization host              | GET /docs↵Host: auth.localhost            | 200 Partner Connect for developers
API's host                      | GET /api/responses↵Host: api.localhost    | 401 unauthorized
API's metadata at its host      | GET /.well-known/oauth-protected-resource/api↵Host: api.localhost | 200
API at the authorization host   | GET /api/responses↵Host: auth.localhost   | 404 not_found / service -: hosts are for the gateway
API's metadata at that host     | GET /.well-known/oauth-protected-resource↵Host: auth.localhost | 404 not_found / service -: hosts are for the gateway
keys at the API's host          | GET /oauth/api/jwks↵Host: api.localhost   | 404 not_found / service -: hosts are for the gateway
metadata at the API's host      | GET /.well-known/oauth-authorization-server↵Host: api.localhost | 404 not_found / service -: hosts are for the gateway
path of no service              | GET /elsewhere                            | 404 not_found
the same, asked by a person     | GET /elsewhere↵Accept: text/html,*/*      | 404 Page not found
the same at the API's host      | GET /elsewhere↵Accept: text/html↵Host: api.localhost | 404 not_found / service -: hosts are for the gateway
another host                    | GET /api/responses↵Host: localhost.evil.example | 404 not_found / service -: hosts are for the gateway
empty host                      | GET /api/responses↵Host:                  | 404 not_found / service -: hosts are for the gateway
two hosts                       | GET /api/responses↵Host: localhost↵Host: a | 400 invalid_request / caddy 400 bare, closed: Go answers / service -: hosts are for the gateway
no host                         | !GET /api/responses HTTP/1.1↵↵            | 400 bare, closed

headers
two Authorization headers       | GET /api/responses↵Authorization: KEY↵Authorization: KEY | 401 unauthorized
bytes above 127                 | GET /api/responses↵X: \xe9                | 401 unauthorized
32 KB of headers                | GET /api/responses↵X: {32000}             | 401 unauthorized
30 KB of cookies                | GET /oauth/sign-in↵Cookie: a={30000}      | 200 Sign in
45 KB of cookies                | GET /oauth/sign-in↵Cookie: a={45000}      | 431 Request not accepted
70 KB of headers                | GET /api/responses↵X: {70000}             | 431 invalid_request, closed / caddy 431 bare, closed: Go answers
space before the colon          | GET /api/responses↵X : a                  | 400 invalid_request, closed / caddy 400 bare, closed: Go answers
no colon                        | GET /api/responses↵nonsense               | 400 invalid_request, closed / caddy 400 bare, closed: Go answers
NUL in a header                 | GET /api/responses↵X: a\0b                | 400 invalid_request, closed / caddy 400 bare, closed: Go answers
folded line                     | GET /api/responses↵X: a↵ b                | 400 invalid_request, closed / caddy 401 unauthorized: Go unfolds it
lines without CR                | !GET /api/responses HTTP/1.1↓Host: localhost↓↓ | 400 invalid_request, closed / caddy 401 unauthorized: Go takes them

connections
Connection: close               | GET /api/responses↵Connection: close      | 401 unauthorized, closed
close, answered by the gateway  | GET /elsewhere↵Connection: close          | 404 not_found, closed
close among others              | GET /api/responses↵Connection: TE, Close↵TE: trailers | 401 unauthorized, closed
HTTP/1.0                        | GET /api/responses HTTP/1.0               | 401 unauthorized, closed
HTTP/1.0, kept                  | GET /api/responses HTTP/1.0↵Connection: keep-alive | 401 unauthorized
HTTP/1.0 and a long page        | GET /docs HTTP/1.0                        | 200 Partner Connect for developers, closed
Keep-Alive, unlisted            | GET /api/responses↵Keep-Alive: timeout=5↵Proxy-Connection: keep-alive | 401 unauthorized
Upgrade, unlisted               | GET /api/responses↵Upgrade: h2c           | 401 unauthorized
empty Upgrade                   | GET /api/responses↵Connection: Upgrade↵Upgrade: | 401 unauthorized
Upgrade, as Java sends it       | GET /api/responses↵Connection: Upgrade, HTTP2-Settings↵Upgrade: h2c↵HTTP2-Settings: AAMAAABk | 401 unauthorized
Upgrade with a body             | SOURCE↵Connection: Upgrade↵Upgrade: websocket↵↵{} | 400 invalid_request name
Connection names a credential   | GET /api/responses↵Authorization: KEY↵Connection: authorization | 401 unauthorized / service 200: only gateways drop what is of one connection
no HTTP                         | !nonsense↵↵                               | 400 invalid_request, closed / caddy 400 bare, closed: Go answers

bodies
body                            | SOURCE↵↵{}                                | 400 invalid_request name
chunks, an extension, a trailer | SOURCE↵Transfer-Encoding: Chunked↵↵2;x=y↵{}↵0↵x: y↵↵ | 400 invalid_request name
Expect: 100-continue            | SOURCE↵Expect: 100-Continue↵↵{}           | 400 invalid_request name
another Expect                  | SOURCE↵Expect: x↵↵{}                      | 417 bare / caddy 417 bare, closed: Go closes
GET with a body                 | GET /api/responses↵↵abc                   | 401 unauthorized
byte order mark                 | SOURCE↵↵\xef\xbb\xbf{}                    | 400 invalid_request name
name twice: the last one counts | SOURCE↵↵{"name":"a","type":"tv","type":"?"} | 400 invalid_request type
body is not UTF-8               | SOURCE↵↵"\xe9"                            | 400 invalid_request body / service 400 invalid_request body, closed: Fastify closes
type that is none               | POST /api/sources↵Authorization: KEY↵Content-Type: ;;↵↵{} | 415 unsupported_media_type
compressed                      | SOURCE↵Content-Encoding: gzip↵↵{}         | 415 unsupported_media_type
token call, compressed          | POST /oauth/api/token↵Content-Encoding: br↵↵a | 400 invalid_request the body must have no Content-Encoding
form, compressed                | POST /oauth/sign-in↵Content-Encoding: gzip↵↵a | 415 Request not accepted
40 KB of a token call           | POST /oauth/api/token↵Content-Type: application/x-www-form-urlencoded↵↵{40000} | 400 invalid_request the body can't be read
40 KB of a form                 | POST /oauth/sign-in↵Content-Type: application/x-www-form-urlencoded↵↵{40000} | 413 Request not accepted
256 KB of a batch               | POST /oauth/api/token/batch↵Content-Type: application/json↵↵{256000} | 400 invalid_request the body is not JSON / service 400 invalid_request the body is not JSON, closed: Fastify closes
200 KB of an API call           | SOURCE↵↵{200000}                          | 413 payload_too_large
200 KB of a form                | POST /oauth/sign-in↵Content-Type: application/x-www-form-urlencoded↵↵{200000} | 413 bad_request / service 413 Request not accepted: a gateway has no such page
200 KB of a token call          | POST /oauth/api/token↵↵{200000}           | 400 invalid_request the body can't be read
400 KB of a batch, in chunks    | POST /oauth/api/token/batch↵Transfer-Encoding: chunked↵↵61a80↵{400000}↵0↵↵ | 400 invalid_request the body can't be read
length and chunks               | SOURCE↵Content-Length: 2↵Transfer-Encoding: chunked↵↵2↵{}↵0↵↵ | 400 invalid_request, closed / caddy 400 invalid_request name: Go drops the length
two lengths                     | SOURCE↵Content-Length: 2↵Content-Length: 3↵↵{} | 400 invalid_request, closed / caddy 400 bare, closed: Go answers
negative length                 | SOURCE↵Content-Length: -2↵↵{}             | 400 invalid_request, closed / caddy 400 bare, closed: Go answers
another coding                  | SOURCE↵Transfer-Encoding: identity↵↵{}    | 400 invalid_request, closed / caddy 501 bare, closed: Go answers
chunk that is none              | SOURCE↵Transfer-Encoding: chunked↵↵zz↵{}↵0↵↵ | 400 invalid_request, closed / caddy 503 unavailable, closed: to it the replica failed
`;

const stack = mainStack();
let caddy: Caddy;
let caddyPort: number;
let key: string;

beforeAll(async () => {
  caddyPort = await freePort();
  caddy = await startCaddy({ now: stack, internalUrls: stack.internal_urls }, { port: caddyPort });
  const shop = await onboardShop(stack, await onboardMerchant(stack), "advanced_attribution");
  ({ key } = await onboardApiKey(stack, shop));
});
afterAll(() => caddy?.stop());

function bytesOf(request: string): string {
  const written = request.replace(
    /^SOURCE/,
    "POST /api/sources↵Authorization: KEY↵Content-Type: application/json",
  );
  const [, head = "", body] = /^(.*?)(?:↵↵(.*))?$/s.exec(written) ?? [];
  const has = (what: string) => head.includes(what);
  const whole = [
    ...[head.replace(/^[^↵]*/, (line) => (has(" HTTP/1.0") ? line : `${line} HTTP/1.1`))],
    ...(has("↵Host:") ? [] : ["Host: localhost"]),
    ...(body === undefined || has("↵Content-Length:") || has("↵Transfer-Encoding:")
      ? []
      : [`Content-Length: ${expand(body).length}`]),
  ].join("↵");
  return expand(request.startsWith("!") ? request.slice(1) : `${whole}↵↵${body ?? ""}`);
}

const expand = (text: string) =>
  text
    .replaceAll("↵", "\r\n")
    .replaceAll("↓", "\n")
    .replaceAll("KEY", key)
    .replace(/\{(\d+)\}/, (_, size) => "x".repeat(size));

const NEXT = "GET /api/next HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

/** Sends the bytes and, on the answer, one more request, which only a kept connection answers. */
async function ask(port: string, bytes: string, mayClose: boolean): Promise<string> {
  const socket = connect(Number(port), "127.0.0.1", () => socket.write(bytes, "latin1"));
  socket.setTimeout(20_000, () => socket.destroy(new Error("neither answered nor closed")));
  const answers: Buffer[] = [];
  for await (const chunk of socket) {
    answers.push(chunk);
    if (answers.length === 1 && !mayClose) socket.write(NEXT);
  }
  const [answer = "", next] = Buffer.concat(answers)
    .toString()
    .split(/(?=HTTP\/1\.[01] [2-5]\d\d )/)
    .filter((text) => !text.startsWith("HTTP/1.1 100"));
  return told(answer) + (next === undefined ? ", closed" : "");
}

function told(answer: string): string {
  const [head = "", body = ""] = answer.split(/\r\n\r\n(.*)/s);
  const status = head.split(" ", 2)[1];
  const {
    error,
    error_description: description,
    param,
  } = JSON.parse(/(\{"error".*?\})/.exec(body)?.[1] ?? "{}");
  const title = /<title>(?:Error: )?(.*?)(?: · .*)?<\/title>/.exec(body)?.[1];
  const isOurs =
    /^x-request-id: [0-9a-f-]{36}\r?$/im.test(head) &&
    /^x-content-type-options: nosniff\r?$/im.test(head);
  const details = [
    error ?? title,
    param ?? (error && description),
    /^allow: (.*?)\r?$/im.exec(head)?.[1],
    !isOurs && "bare",
  ];
  return [status, ...details].filter(Boolean).join(" ");
}

const rows = TABLE.split("\n")
  .filter((line) => line.includes(" | "))
  .map((line) => {
    const [name = "", request = "", answers = ""] = line.split(" | ").map((cell) => cell.trim());
    const [all = "", ...exceptions] = answers.split(" / ");
    const answerOf = (server: string) =>
      exceptions.find((text) => text.startsWith(server))?.replace(/^\S+ (.*?): .*$/, "$1") ?? all;
    return { name, request, expected: ["local", "caddy", "service"].map(answerOf) };
  });

test("for each row of the table, the local gateway, Caddy and the service give the listed response", async () => {
  const answers: [string, string[]][] = [];
  for (const { name, request, expected } of rows) {
    const isApi = /^\S+ (?:https?:\/\/[^/]*)?\/(?:api|.well-known\/oauth-protected)|^SOURCE/i.test(
      request,
    );
    const [service = ""] = isApi ? stack.resource_server_urls : stack.authorization_server_urls;
    const ports = [new URL(stack.base_url).port, String(caddyPort), new URL(service).port];
    const asked = ports.map((port, index) => {
      const answer = expected[index] ?? "-";
      return answer === "-" ? "-" : ask(port, bytesOf(request), answer.endsWith(", closed"));
    });
    answers.push([name, await Promise.all(asked)]);
  }
  expect(answers).toEqual(rows.map(({ name, expected }) => [name, expected]));
});
