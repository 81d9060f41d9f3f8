import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type SyncState, shopWithApiKey } from "@partner-connect/partner-sdk";
import { SqliteStore } from "@partner-connect/partner-sdk/sqlite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { onboard, onboardApiKey } from "../../harness/actors/onboarding.ts";
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

test("programs in Python and TypeScript share a store [sdk.python]", async () => {
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

test("a copy is gone on with in the other language [sdk.python]", async () => {
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
