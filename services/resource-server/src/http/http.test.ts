import { connect } from "node:net";
import { beforeAll, describe, expect, test } from "vitest";
import { suiteServer, type TestShop } from "../testing.ts";

const server = await suiteServer();
let shop: TestShop;

beforeAll(async () => {
  shop = await server.newShop();
});

/** What the server answers to these bytes. */
function raw(bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(server.url).port), "127.0.0.1", () => socket.write(bytes));
    let answer = "";
    socket.on("data", (chunk) => {
      answer += chunk;
      socket.end();
    });
    socket.on("close", () => resolve(answer)).on("error", reject);
  });
}

const ask = (line: string, headers = ""): Promise<string> => raw(`${line} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`);

describe("every answer", () => {
  test.each([
    "/",
    "/api/",
    "/api/responses/",
    "/api//responses",
    "/api/Responses",
    "/api/responses/x",
    "/api/responses%2f",
    "/api/%zz",
    "/api/responses%ff%fe",
  ])("to an unknown path such as %s is 404 not_found", async (path) => {
    const answer = await ask(`GET ${path}`);
    expect(answer).toMatch(/^HTTP\/1\.1 404 /);
    expect(answer).toContain('{"error":"not_found"}');
    expect(answer.toLowerCase()).toContain("x-request-id: ");
  });

  test.each([
    ["POST", "/api/responses", "GET, HEAD"],
    ["HEAD", "/api/sources", "POST"],
    ["PUT", "/api/questions?x=1", "GET, HEAD"],
    ["DELETE", "/api/sources", "POST"],
    ["GET", "/api/sources", "POST"],
    ["OPTIONS", "/api/sources", "POST"],
  ])("to %s %s is 405 with allow: %s", async (method, path, allow) => {
    const response = await fetch(server.url + path, { method, headers: { origin: "https://evil.example" } });
    expect([response.status, response.headers.get("allow")]).toEqual([405, allow]);
    if (method !== "HEAD") expect(await response.text()).toBe('{"error":"method_not_allowed"}');
    expect(response.headers.get("access-control-allow-origin")).toBeNull();
    expect(response.headers.get("x-request-id")).toMatch(/./);
  });

  test("to a method that is overridden by a header is for the method that was sent", async () => {
    const headers = { "x-http-method-override": "GET", authorization: shop.apiKey };
    expect((await fetch(`${server.url}/api/responses`, { method: "POST", headers })).status).toBe(405);
  });

  test("to what isn't HTTP is 400, and to huge headers 431, both JSON with a request id", async () => {
    for (const [bytes, status] of [
      ["nonsense\r\n\r\n", 400],
      ["GET /api/responses HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", 400],
      [`GET /api/responses HTTP/1.1\r\nHost: x\r\nX: ${"x".repeat(70_000)}\r\n\r\n`, 431],
    ] as const) {
      const answer = await raw(bytes);
      expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
      expect(answer).toContain('{"error":"invalid_request"}');
      expect(answer).toContain("x-request-id: ");
    }
  });
});
