import { expect, test, vi } from "vitest";
import { asHttpError, tooManyRequests } from "./errors.ts";
import { suiteReplicas } from "./testing/replicas.ts";
import { refreshTokens } from "./testing/token-calls.ts";

const replicas = await suiteReplicas(1);
const client = await replicas.registerClient();

const refresh = () => refreshTokens(replicas.app(), client, "unknown");

test("a failure to read a client is not cached, so requests succeed as soon as Postgres recovers", async () => {
  await replicas.sql`REVOKE SELECT ON directory.clients FROM authorization_server`;
  // Clients are cached for half a second.
  await expect.poll(async () => (await refresh()).status).toBe(503);
  const now = vi.spyOn(performance, "now").mockReturnValue(performance.now());
  expect((await refresh()).status).toBe(503);
  await replicas.sql`GRANT SELECT ON directory.clients TO authorization_server`;
  expect((await refresh()).body.error).toBe("invalid_grant");
  now.mockRestore();
});

test("a request whose headers are too large gets 431, as a page or, for the OAuth endpoints, as JSON", async () => {
  const headers = { cookie: "of=another site; ".repeat(2600) };
  const page = await replicas.app().inject({ url: "/oauth/connections", headers });
  expect([page.statusCode, page.headers["content-type"]]).toEqual([
    431,
    "text/html; charset=utf-8",
  ]);
  expect(page.body).toContain("delete the cookies of this site");
  const json = await replicas.app().inject({ url: "/oauth/api/jwks", headers });
  expect([json.statusCode, json.json()]).toEqual([431, { error: "invalid_request" }]);
});

test.each([
  [tooManyRequests(), 429, "too_many_requests"],
  [Object.assign(new Error("Request body is too large"), { statusCode: 413 }), 413, "bad_request"],
  [new TypeError("x is not a function"), 500, "internal_error"],
  [Object.assign(new Error("of a library"), { statusCode: 500 }), 503, "unavailable"],
  [new Error("NOPERM"), 503, "unavailable"],
  ["no error at all", 503, "unavailable"],
])("a thrown '%s' becomes %i %s", (error, status, code) => {
  expect(asHttpError(error)).toMatchObject({ status, error: code });
});
