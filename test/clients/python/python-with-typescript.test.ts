import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type FollowState, PartnerConnect, type SyncState, shopWithApiKey } from "@partner-connect/partner-sdk";
import { SqliteStore } from "@partner-connect/partner-sdk/sqlite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { merchantBrowser } from "../../harness/actors/merchant-browser.ts";
import { onboard, onboardApiKey, REDIRECT_URI } from "../../harness/actors/onboarding.ts";
import { generateResponses, importRecords } from "../../harness/actors/survey.ts";
import { mainStack } from "../../harness/stack/stacks.ts";
import { type PythonWorld, pythonWorld } from "./python-world.ts";

let world: PythonWorld;
let folder: string;

beforeAll(async () => {
  world = await pythonWorld();
  folder = await mkdtemp(join(tmpdir(), "python-with-typescript-"));
});
afterAll(async () => {
  await world.stop();
  await rm(folder, { recursive: true });
});

async function python(program: string, ...args: readonly string[]): Promise<string> {
  const { code, output } = await world.run("-c", program, ...args);
  expect(code, output).toBe(0);
  return output;
}

const connection = (id: string) => ({
  id,
  shop: { id: "shop_1", name: "Änne's “shop”", domain: null, plan: "standard" },
  scope: "responses:read",
  refreshToken: "shop_1.secret",
  connectedAt: "2026-11-21T01:02:03.123Z",
});

test("programs in Python and TypeScript share a store", async () => {
  const path = join(folder, "connections.db");
  const store = new SqliteStore(path);
  await store.put(connection("con_typescript"));
  const copying = python(
    `
import dataclasses, sys
from partner_connect import SqliteStore
store = SqliteStore(sys.argv[1])
for n in range(200):
    store.put(dataclasses.replace(store.get("con_typescript"), id=f"con_python_{n % 20}"))
store.close()`,
    path,
  );
  // Both write at once.
  for (let n = 0; n < 200; n++) await store.put(connection(`con_typescript_${n % 20}`));
  await copying;
  const stored = await store.list();
  expect(stored).toHaveLength(41);
  expect(await store.get("con_python_7")).toEqual(connection("con_python_7"));
  store.close();
});

test("a copy is gone on with in the other language", async () => {
  const stack = mainStack();
  const { shop } = await onboard(stack);
  const { key } = await onboardApiKey(stack, shop);
  await importRecords(stack, "response", shop, await generateResponses(30, "python"));
  const client = shopWithApiKey({ baseUrl: stack.base_url, apiKey: key });
  const state = join(folder, "state.json");
  const sync = async (saved: SyncState | null) => {
    const batches = await Array.fromAsync(client.syncResponses(saved));
    await writeFile(state, JSON.stringify(batches.at(-1)?.state));
    return batches.map(({ reset, responses }) => [reset, responses.length]).filter(([reset, count]) => reset || count);
  };
  const goOn = async () =>
    await python(
      `
import json, sys
from partner_connect import shop_with_api_key
shop = shop_with_api_key(base_url=sys.argv[1], api_key=sys.argv[2])
with open(sys.argv[3]) as file:
    (batch,) = shop.sync_responses(json.load(file))
print(json.dumps([batch.reset, len(batch.responses), batch.state]))`,
      ...[stack.base_url, key, state],
    );

  expect(await sync(null)).toEqual([
    [true, 0],
    [false, 30],
  ]);
  const [reset, count, itsState] = JSON.parse(await goOn());
  expect([reset, count]).toEqual([false, 0]);
  expect(await sync(itsState)).toEqual([]);
});

test("copies of all shops are followed on in the other language", async () => {
  const stack = mainStack();
  const { client, merchant, shop } = await onboard(stack);
  const path = join(folder, "followed.db");
  const store = new SqliteStore(path);
  const given = { clientId: client.clientId, clientSecret: client.secret };
  const partnerConnect = new PartnerConnect({ baseUrl: stack.base_url, ...given, store });
  const begun = { redirectUri: REDIRECT_URI, scope: ["responses:read"] };
  const { url, pending } = await partnerConnect.beginAuthorization(begun);
  await partnerConnect.completeAuthorization(await merchantBrowser(merchant).approve(url, shop), pending);
  await importRecords(stack, "response", shop, await generateResponses(30, "followed"));

  const states: Record<string, FollowState | SyncState> = {};
  const stop = new AbortController();
  let copied = 0;
  // What was pending then is pending in the state that Python goes on from.
  const stopWhenCopied = () => {
    if (copied >= 30 && states["feed"]) stop.abort();
  };
  await partnerConnect.follow({
    readState: () => null,
    keepState(state) {
      states["feed"] = state;
      stopWhenCopied();
    },
    readCopyState: () => null,
    apply({ responses, state }, { connectionId }) {
      copied += responses.length;
      states[connectionId] = state;
    },
    trouble: (error) => expect.fail(String(error)),
    progress: stopWhenCopied,
    signal: stop.signal,
  });
  store.close();

  const later = await generateResponses(3, "followed on");
  await importRecords(
    stack,
    "response",
    shop,
    later.map((record) => ({ ...record, inserted_at: undefined, updated_at: undefined })),
  );
  const file = join(folder, "states.json");
  await writeFile(file, JSON.stringify(states));
  const output = await python(
    `
import json, sys, threading
from partner_connect import PartnerConnect, SqliteStore
base_url, client_id, client_secret, path, states_path = sys.argv[1:]
store = SqliteStore(path)
with open(states_path) as file:
    states = json.load(file)
stop = threading.Event()
limit = threading.Timer(30, stop.set)
limit.start()
seen = []
def apply(batch, copy):
    assert copy.previous == states[copy.connection_id] and not batch.reset
    states[copy.connection_id] = batch.state
    seen.extend(batch.responses)
    if len(seen) >= 3:
        stop.set()
PartnerConnect(base_url=base_url, client_id=client_id, client_secret=client_secret, store=store).follow(
    read_state=lambda: states["feed"],
    keep_state=lambda state, previous: states.update(feed=state),
    read_copy_state=states.get,
    apply=apply,
    trouble=lambda error, id: sys.exit(repr(error)),
    stop=stop,
)
limit.cancel()
store.close()
print(len(seen), states["feed"]["version"])`,
    ...[stack.base_url, client.clientId, client.secret, path, file],
  );
  expect(output.trim()).toBe("3 1");
});
