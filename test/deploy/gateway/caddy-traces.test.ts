import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { freePort } from "@partner-connect/local-stack";
import { expect, test } from "vitest";
import { send } from "../../harness/actors/http.ts";
import { caddyUrls, startCaddy } from "../../harness/stack/caddy.ts";

test("through Caddy no caller's trace reaches a service, which would go on with it", async () => {
  const arrived: IncomingHttpHeaders[] = [];
  const service = createServer(({ headers }, response) => {
    arrived.push(headers);
    response.end("{}");
  });
  await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  const port = await freePort();
  const caddy = await startCaddy(
    {
      now: { authorization_server_urls: [url], resource_server_urls: [url] },
      internalUrls: { "authorization-server-1": url, "resource-server-1": url },
    },
    { port },
  );
  try {
    const headers = {
      traceparent: `00-${"a".repeat(32)}-${"b".repeat(16)}-01`,
      tracestate: "theirs=1",
      baggage: "theirs=1",
      "x-mine": "1",
    };
    for (const path of ["/api/responses", "/oauth/api/jwks"]) {
      arrived.length = 0;
      expect((await send(caddyUrls({ port }).base_url + path, { headers })).status).toBe(200);
      const [passedOn] = arrived.filter((sent) => sent["x-mine"] === "1");
      expect(Object.keys(passedOn ?? {}).filter((name) => /^(trace|baggage)/.test(name))).toEqual([]);
      expect(passedOn).toHaveProperty("x-mine");
    }
  } finally {
    await caddy.stop();
    service.closeAllConnections();
    service.close();
  }
});
