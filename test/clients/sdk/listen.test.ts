import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { MemoryStore, PartnerConnect, verifyWebhook, type WebhookHint } from "@partner-connect/partner-sdk";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ManyConnections, manyConnections } from "../../harness/actors/many-connections.ts";
import { until } from "../../harness/stack/processes.ts";
import { mainStack } from "../../harness/stack/stacks.ts";
import { linesOf, madeUpLines, type ShopKeeper, shopKeeper, withoutTimes } from "./sync-world.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const OPERATOR = "packages/operator-cli/src/main.ts";
const SDK = "packages/partner-sdk/src/listen/main.ts";
const stack = mainStack();
let many: ManyConnections;
let keeper: ShopKeeper;

beforeAll(async () => {
  many = await manyConnections(stack, 1);
  const { clientId, secret: clientSecret } = many.client;
  const partner = new PartnerConnect({ baseUrl: stack.base_url, clientId, clientSecret, store: new MemoryStore() });
  // Else the connection itself could be what is new.
  await until(async () => (await partner.changes()).data.length > 3);
  keeper = shopKeeper(stack);
});
afterAll(() => keeper?.close());

/** A partner's program on this machine. It fails at first. */
async function program() {
  const hints: WebhookHint[] = [];
  let secrets: string[] = [];
  let failures = 1;
  const server = createServer(async (request, response) => {
    const hint = await verifyWebhook(await text(request), request.headers, secrets);
    hints.push(hint);
    response.writeHead(failures-- > 0 ? 500 : 204).end();
  }).listen(0, "localhost");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://localhost:${port}/webhooks`,
    hints,
    verifyWith: (known: string[]) => {
      secrets = known;
    },
    stop: () => server.close(),
  };
}

function start(main: string, forward: string): { child: ChildProcess; secrets: Promise<string[]> } {
  const { clientId, secret } = many.client;
  const words = [main, "listen", "--client", clientId, "--forward", forward, "--base-url", stack.base_url];
  const env = { PATH: process.env["PATH"], CLIENT_SECRET: secret };
  const child = spawn(process.execPath, words, { cwd: ROOT, env, stdio: ["ignore", "pipe", "inherit"] });
  let printed = "";
  const secrets = new Promise<string[]>((resolve, reject) => {
    child.once("exit", () => reject(new Error(`listen has ended: ${printed}`)));
    child.stdout?.on("data", (chunk: Buffer) => {
      printed += chunk;
      const found = printed.match(/wh(sec|pk)_[A-Za-z0-9+/=]{20,}/g);
      if (found?.length === 2) resolve(found);
    });
  });
  return { child, secrets };
}

test.each([
  ["the operator's command line", OPERATOR, 0],
  ["the SDK's package", SDK, 1],
])("%s sends hints of what is new, signed, and again until they are taken", async (_, main, which) => {
  const app = await program();
  const { child, secrets } = start(main, app.url);
  try {
    const [shop] = many.connections;
    app.verifyWith([(await secrets)[which] ?? ""]);
    const [line = ""] = madeUpLines(1, main);
    await keeper.import(shop?.shop.id ?? "", linesOf([JSON.parse(line)].map(withoutTimes)));
    await expect.poll(() => app.hints.length, { timeout: 60_000 }).toBeGreaterThan(1);
    const [first, again] = app.hints;
    expect(again).toEqual(first);
    const { clientId } = many.client;
    expect(first).toMatchObject({ type: "changes", data: { client_id: clientId, kinds: ["responses"] } });
  } finally {
    child.kill("SIGKILL");
    app.stop();
  }
});
