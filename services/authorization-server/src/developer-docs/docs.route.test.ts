import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { buildDocs } from "@partner-connect/developer-docs/building";
import { packSdk } from "@partner-connect/partner-sdk/packing";
import { expect, test } from "vitest";
import { suiteReplicas } from "../testing/replicas.ts";

await buildDocs();
const replicas = await suiteReplicas(1);

const get = (url: string, headers: Record<string, string> = {}) =>
  replicas.app().inject({ method: "GET", url, headers });

test("a documentation page may load only the site's own files, and may be cached for five minutes", async () => {
  const { statusCode, headers } = await get("/docs/errors?a=b");
  expect(statusCode).toBe(200);
  expect(headers).toMatchObject({
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": expect.stringMatching(
      /^default-src 'none'; script-src 'self'( 'sha256-[\w+/]{43}='){2}; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'$/,
    ),
    "cache-control": "public, max-age=300",
    vary: "accept, accept-encoding",
    "x-content-type-options": "nosniff",
  });
  expect(headers["set-cookie"]).toBeUndefined();
});

test("documentation pages get 304 for a matching If-None-Match, with separate ETags for plain and compressed responses", async () => {
  const plain = await get("/docs/errors");
  const compressed = await get("/docs/errors", { "accept-encoding": "br, gzip" });
  expect(compressed.headers["content-encoding"]).toBe("gzip");
  expect(gunzipSync(compressed.rawPayload).toString()).toBe(plain.body);
  expect(compressed.headers["etag"]).not.toBe(plain.headers["etag"]);
  for (const [answer, encoding] of [
    [plain, "identity"],
    [compressed, "gzip"],
  ] as const) {
    const etag = String(answer.headers["etag"]);
    const again = await get("/docs/errors", {
      "if-none-match": `"x", ${etag}`,
      "accept-encoding": encoding,
    });
    expect([again.statusCode, again.body, again.headers["etag"]]).toEqual([304, "", etag]);
  }
});

test("a path without a documentation page gets an uncached HTML page with 404", async () => {
  for (const url of ["/docs/none", "/docs/none/", "/docs/a/b", "/docs//evil.example/"]) {
    const { statusCode, headers, body } = await get(url);
    expect(statusCode, url).toBe(404);
    expect(headers).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
    });
    expect(body).toContain("<title>404 · Partner Connect</title>");
  }
});

test("the SDK file that is served has the version and checksums that its documentation page states", async () => {
  await packSdk();
  const { statusCode, headers, rawPayload } = await get("/docs/partner-sdk.tgz", {
    "accept-encoding": "gzip",
  });
  expect([statusCode, headers["content-type"]]).toEqual([200, "application/gzip"]);
  expect(headers["content-encoding"]).toBeUndefined();
  expect(
    (await get("/docs/partner-sdk.tgz", { "if-none-match": String(headers["etag"]) })).statusCode,
  ).toBe(304);
  const { version } = JSON.parse(
    execFileSync("tar", ["-xzO", "package/package.json"], { input: rawPayload, encoding: "utf8" }),
  );
  const digest = (algorithm: string) => createHash(algorithm).update(rawPayload);
  const page = (await get("/docs/typescript.md")).body;
  expect(page).toContain(`has version ${version}:`);
  expect(page).toContain(`\`${digest("sha256").digest("hex")}\``);
  expect(page).toContain(`\`sha512-${digest("sha512").digest("base64")}\``);
});

test("the documentation is served without Postgres and Redis", async () => {
  await replicas.sql`REVOKE USAGE ON SCHEMA directory, oauth FROM authorization_server`;
  replicas.redis.disconnect();
  expect((await get("/docs/rate-limits")).statusCode).toBe(200);
  await replicas.sql`GRANT USAGE ON SCHEMA directory, oauth TO authorization_server`;
});

test.each([
  ["/llms.txt", 308, "/docs/llms.txt"],
  ["/llms-full.txt", 308, "/docs/llms-full.txt"],
  ["/docs/", 308, "/docs"],
  ["/docs/errors/?a=b", 308, "/docs/errors"],
  ["/", 302, "/oauth/connections"],
])("the path %s redirects with %i to %s", async (url, status, location) => {
  const { statusCode, headers } = await get(url);
  expect([statusCode, headers["location"]]).toEqual([status, location]);
});

test.each([
  ["/docs/errors", "text/markdown", "text/markdown"],
  ["/docs/errors", "text/markdown, text/html;q=0.5, */*;q=0.1", "text/markdown"],
  ["/docs/errors", "text/html,application/xhtml+xml,*/*;q=0.8", "text/html"],
  ["/docs/errors", "*/*", "text/html"],
  ["/docs/llms.txt", "*/*", "text/markdown"],
  ["/docs/partner_connect.py", "*/*", "text/x-python"],
])("%s with Accept '%s' is served as %s", async (url, accept, type) => {
  const { statusCode, headers } = await get(url, { accept });
  expect([statusCode, headers["content-type"]]).toEqual([200, `${type}; charset=utf-8`]);
});
