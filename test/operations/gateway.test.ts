import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { type IncomingMessage, request } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { send } from "../harness/actors/http.ts";
import { merchantBrowser } from "../harness/actors/merchant-browser.ts";
import { onboard, onboardApiKey } from "../harness/actors/onboarding.ts";
import { basic, callApi, type Partner, partner, type Tokens } from "../harness/actors/partner.ts";
import { generateResponses, importRecords } from "../harness/actors/survey.ts";
import { type CaddyStack, startCaddyStack } from "../harness/stack/caddy.ts";
import { keepAsking, restart, until } from "../harness/stack/processes.ts";
import { report } from "./tally.ts";

const CALLERS = 6;
const ROUNDS = process.env["TEST_NIGHTLY"] ? 4 : 1;
/** A page of all is some 10 MB, more than the kernel keeps for a reader. */
const RECORDS = 1000;
const SERVERS = [
  "authorization-server-1",
  "authorization-server-2",
  "resource-server-1",
  "resource-server-2",
];

let stack: CaddyStack;
let app: Partner;
let tokens: Tokens;
let key: string;

beforeAll(async () => {
  // The services' default, which is long enough for the gateway to notice that a replica drains.
  stack = await startCaddyStack({ DRAIN_SECONDS: "5" }, true);
  const { client, merchant, advancedShop } = await onboard(stack.now);
  app = partner(stack.now, client);
  ({ key } = await onboardApiKey(stack.now, advancedShop));
  const records = generateResponses(RECORDS, "rolling restart");
  const long = records.map((record) => ({ ...record, other_response: "long ".repeat(2000) }));
  await importRecords(stack.now, "response", advancedShop, long);
  tokens = await app.connect(merchantBrowser(merchant), advancedShop, {
    scope: "responses:read sources:write",
  });
});
afterAll(() => stack?.stop());

const read = () => app.call("/api/responses?limit=1", tokens.accessToken);
const refresh = () => app.refresh(tokens.refreshToken);
const readJwks = () => send(`${stack.now.base_url}/oauth/api/jwks`);
const createSource = () =>
  callApi(`${stack.now.base_url}/api/sources`, key, {
    name: "Hats",
    type: "tv",
    external_id: randomUUID(),
  });

/** Reads 5 MB a second, so that a large answer waits in the server. Rejects if it is cut off. */
async function readSlowly(url: string, headers: Readonly<Record<string, string>>) {
  const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
    const outgoing = request(url, { headers, agent: false }, resolve).on("error", reject);
    onTestFinished(() => void outgoing.destroy());
    outgoing.end();
  });
  const pieces: Buffer[] = [];
  let unread = 0;
  for await (const piece of incoming as AsyncIterable<Buffer>) {
    pieces.push(piece);
    unread += piece.length;
    if (unread < 256 * 1024) continue;
    unread = 0;
    await sleep(50);
  }
  if (!incoming.complete) throw new Error("cut");
  return { status: incoming.statusCode ?? 0, body: Buffer.concat(pieces) };
}

test("during rolling restarts of the services and reloads of Caddy, no request fails, and no slowly read response is cut off", async () => {
  const url = `${stack.now.base_url}/api/responses?limit=${RECORDS}`;
  const readLarge = async () => {
    const { status, body } = await readSlowly(url, {
      authorization: `Bearer ${tokens.accessToken}`,
    });
    return { status: status === 200 ? JSON.parse(body.toString()).data.length : status };
  };
  const loads = [
    keepAsking(readLarge, 2),
    keepAsking(read, 2),
    keepAsking(refresh, 4),
    keepAsking(createSource, 4),
  ];
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of SERVERS) {
      await restart(stack, name, "SIGTERM");
      await stack.reload();
    }
  }
  const counts = await Promise.all(loads.map((load) => load.stop()));
  report(`${ROUNDS} rolling restarts and ${4 * ROUNDS} reloads, through Caddy`, counts);
  expect(counts).toEqual(
    [RECORDS, 200, 200, 201].map((outcome) => ({ [outcome]: expect.any(Number) })),
  );
}, 600_000);

test("through Caddy, GET /oauth/api/changes?wait=25 gets the service's response and no gateway timeout", async () => {
  const headers = { authorization: basic(app.client) };
  // No worker runs, so the feed has nothing new; a gateway's short timeout would be a 503.
  const answer = await fetch(`${stack.now.base_url}/oauth/api/changes?wait=25`, { headers });
  expect([answer.status, await answer.json()]).toEqual([
    200,
    { data: [], cursor: expect.any(String), has_more: false },
  ]);
}, 60_000);

/** Near ends of the connections to an address, by the kernel's table: hex, lowest byte first. */
async function connectionsTo(url: string): Promise<string[]> {
  const { hostname, port } = new URL(url);
  const hex = (number: string, digits: number) =>
    Number(number).toString(16).toUpperCase().padStart(digits, "0");
  const address = hostname
    .split(".")
    .toReversed()
    .map((byte) => hex(byte, 2));
  // ESTABLISHED, CLOSE_WAIT
  const open = new RegExp(`^ *\\d+: (\\S+) ${address.join("")}:${hex(port, 4)} 0[18] `, "gm");
  return [...(await readFile("/proc/net/tcp", "utf8")).matchAll(open)].map(([, near = ""]) => near);
}

/** The requests that the service has logged. */
const served = async (name: string): Promise<number> =>
  (await readFile(join(stack.now.dataDir, "logs", `${name}.log`), "utf8")).split('"msg":"request"')
    .length;

/** Kills the process; returns when another one serves and Caddy has read the closed connections. */
async function killAndWait(name: string): Promise<number> {
  const { pid, url = "" } =
    stack.now.processes.find((process) => process.name === name) ?? expect.fail(name);
  process.kill(pid, "SIGKILL");
  const former = await connectionsTo(url);
  await until(async () => (await connectionsTo(url)).every((one) => !former.includes(one)));
  const gone = performance.now();
  const before = await served(name);
  await until(async () => (await served(name)) > before + 20);
  return gone;
}

test.each([
  ["authorization-server-1", "token calls", refresh, 200, readJwks],
  ["resource-server-1", "sources", createSource, 201, read],
])(
  "after kill -9 of %s no GET fails, and only POSTs in progress get 503 (%s)",
  async (name, what, write, promised, get) => {
    const writes = keepAsking(write, CALLERS);
    const reads = keepAsking(get, 2);
    const { calls } = writes;
    await until(() => calls.length > 100);
    const gone = await killAndWait(name);
    await writes.stop();
    expect(await reads.stop()).toEqual({ 200: expect.any(Number) });
    const failed = calls.filter(({ outcome }) => outcome !== String(promised));
    const after = failed.filter(({ at }) => at > gone);
    report(`kill -9 of ${name}, through Caddy: ${what}`, {
      calls: calls.length,
      failed: failed.length,
      after: after.length,
    });
    for (const { answer } of failed) {
      expect([answer?.status, answer?.json(), answer?.headers["retry-after"]]).toEqual([
        503,
        { error: "unavailable" },
        "1",
      ]);
    }
    expect(after).toEqual([]);
    // Connections of a killed process close one by one: Caddy may have kept a second one.
    expect(failed.length).toBeLessThanOrEqual(2 * CALLERS);
    expect(calls.length).toBeGreaterThan(200);
  },
  60_000,
);
