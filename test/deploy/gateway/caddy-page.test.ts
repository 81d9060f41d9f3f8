import { hash } from "node:crypto";
import { createServer, type Server } from "node:http";
import { freePort } from "@partner-connect/local-stack";
import { afterAll, beforeAll, expect, test } from "vitest";
import { send } from "../../harness/actors/http.ts";
import { type Caddy, caddyUrls, startCaddy } from "../../harness/stack/caddy.ts";

let service: Server;
let caddy: Caddy;
let base: string;

beforeAll(async () => {
  service = createServer((_request, response) => response.end("{}"));
  // A port that no other program gets once it is closed.
  const [servicePort, port] = [await freePort(), await freePort()];
  await new Promise<void>((resolve) => service.listen(servicePort, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${servicePort}`;
  base = caddyUrls({ port }).base_url;
  const now = { authorization_server_urls: [url], resource_server_urls: [url] };
  const internalUrls = { "authorization-server-1": url, "resource-server-1": url };
  const change = (caddyfile: string) =>
    caddyfile.replace("lb_try_duration 3s", "lb_try_duration 50ms");
  caddy = await startCaddy(
    { now, internalUrls },
    { port, change, env: { PRODUCT_NAME: "Fieldnotes & Co" } },
  );
  // From here on no server answers.
  service.closeAllConnections();
  service.close();
});
afterAll(() => caddy?.stop());

const BROWSER = { accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" };

test.each([
  ["GET", "/oauth/connections"],
  ["POST", "/oauth/sign-in"],
  ["GET", "/docs/errors"],
  ["GET", "/help"],
])(
  "while no server responds, a browser that sends %s %s gets a page that says what to do",
  async (method, path) => {
    const { status, headers, text } = await send(base + path, { method, headers: BROWSER });
    expect([status, headers["retry-after"]]).toEqual([503, "1"]);
    expect(text).toContain("<title>Please try again shortly · Fieldnotes & Co</title>");
    expect(text).toContain("<h1>Please try again shortly</h1>");
    expect(text).toContain('<a href="">Try again</a>');
    expect(text).toContain(`<code>${headers["x-request-id"]}</code>`);
    expect(text).not.toMatch(/<script|https?:\/\/(?!www\.w3\.org)/);
    const [, style = ""] = /<style>([^<]+)<\/style>/.exec(text) ?? [];
    expect(headers).toMatchObject({
      "cache-control": "no-store",
      "content-language": "en",
      "content-security-policy": expect.stringContaining(
        `default-src 'none'; style-src 'sha256-${hash("sha256", style, "base64")}'; form-action 'none';`,
      ),
      "content-type": "text/html; charset=utf-8",
      "cross-origin-resource-policy": "same-origin",
      "permissions-policy": expect.stringContaining("camera=()"),
      "referrer-policy": "same-origin",
      vary: "accept, accept-language, cookie",
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
    });
  },
);

test.each([
  ["de-AT,de;q=0.9,en;q=0.8", "", "de"],
  ["it, fr-CA;q=0.8, de", "", "fr"],
  ["it", "", "en"],
  ["de", "merchant_language=es", "es"],
  ["de", "other=1; __Host-merchant_language=fr", "fr"],
  ["de", "merchant_language=it", "de"],
  ["", "", "en"],
] as const)(
  "while no server responds, a browser with Accept-Language %j and the cookie %j gets the page in %s",
  async (asked, cookie, language) => {
    const headers = { ...BROWSER, "accept-language": asked, ...(cookie && { cookie }) };
    const page = await send(`${base}/oauth/connections`, { headers });
    const words = { en: "Please", de: "Bitte", fr: "Veuillez", es: "Inténtelo" };
    expect(page.headers["content-language"]).toBe(language);
    expect(page.text).toContain(`<html lang="${language}">`);
    expect(page.text).toContain(`<h1>${words[language]} `);
  },
);

test.each([
  ["POST", "/oauth/api/token", BROWSER],
  ["GET", "/oauth/api/jwks", BROWSER],
  ["GET", "/api/responses", BROWSER],
  ["GET", "/.well-known/oauth-authorization-server", BROWSER],
  ["GET", "/oauth/connections", { accept: "*/*" }],
  ["GET", "/oauth/connections", {}],
])(
  "while no server responds, %s %s with the headers %j gets JSON",
  async (method, path, headers) => {
    const answer = await send(base + path, { method, headers });
    expect([answer.status, answer.json(), answer.headers["retry-after"]]).toEqual([
      503,
      { error: "unavailable" },
      "1",
    ]);
    expect(answer.headers["content-type"]).toBe("application/json");
  },
);
