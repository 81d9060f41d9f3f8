import { Agent, createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { freePort } from "@partner-connect/local-stack";
import { caddyUrls, startCaddy } from "../../harness/stack/caddy.ts";

/** A program: reloads Caddy again and again while callers post, each on a connection that they keep. Prints what became of the calls. */
const RELOADS = 12;
const CALLERS = 16;

const service = createServer((_request, response) => response.end("{}"));
await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
const port = await freePort();
const caddy = await startCaddy(
  {
    now: { authorization_server_urls: [url], resource_server_urls: [url] },
    internalUrls: { "authorization-server-1": url, "resource-server-1": url },
  },
  // A shorter time does for callers without pauses.
  { port, change: (caddyfile) => caddyfile.replace("shutdown_delay 3s", "shutdown_delay 500ms") },
);
const target = new URL(caddyUrls({ port }).base_url);
const agent = new Agent({ keepAlive: true });
const outcomes: Record<string, number> = {};
let isOver = false;

function post(): Promise<string> {
  return new Promise((resolve) => {
    const options = { agent, host: "127.0.0.1", port: target.port, method: "POST", path: "/oauth/api/token" };
    const sent = request({ ...options, headers: { host: target.host } }, (answer) => {
      answer.resume();
      answer.on("end", () => resolve(String(answer.statusCode)));
      answer.on("error", (error) => resolve(error.message));
    });
    sent.on("error", (error) => resolve(error.message));
    sent.end("a=1");
  });
}

const callers = Array.from({ length: CALLERS }, async () => {
  while (!isOver) {
    const outcome = await post();
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  }
});
for (let reload = 0; reload < RELOADS; reload++) await caddy.reload();
isOver = true;
await Promise.all(callers);
await caddy.stop();
process.stdout.write(`${JSON.stringify(outcomes)}\n`, () => process.exit());
