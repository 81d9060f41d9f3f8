import type { DatabaseSync } from "node:sqlite";
import {
  MemoryStore,
  PartnerConnect,
  type ResponseRecord,
  type StoredConnection,
  type SyncBatch,
  type SyncState,
} from "@partner-connect/partner-sdk";
import { beforeEach, expect, test } from "vitest";
import { openDatabase } from "../database.ts";
import { ShopStore } from "../shops/shop-store.ts";
import { applyBatch, copiedState } from "./mirror.ts";

const CONNECTION: StoredConnection = {
  id: "con_1",
  shop: { id: "shop_1", name: "Fern & Field", domain: null, plan: "standard" },
  scope: "responses:read",
  refreshToken: "secret",
  connectedAt: "2026-11-21T01:02:03.123Z",
};

let database: DatabaseSync;
let shops: ShopStore;

beforeEach(() => {
  database = openDatabase(":memory:");
  shops = new ShopStore(database);
  shops.remember(CONNECTION);
});

const state = (id: string) => ({ version: 1, response: { id } }) as SyncState;
const batch = (part: Partial<SyncBatch>): SyncBatch => ({
  reset: false,
  responses: [],
  deletedIds: [],
  state: state("1"),
  ...part,
});
const response = (id: string, value = "TV") =>
  ({ id, inserted_at: "2026-11-21T01:02:03.123Z", question_id: 1, response: value }) as ResponseRecord;
const copied = () => database.prepare("SELECT id, response FROM responses ORDER BY id").all();

test("a batch and its state are kept together; a reset begins anew; only what was there counts as deleted", () => {
  expect(applyBatch(database, "con_1", null, batch({ responses: [response("a"), response("b")] }))).toBe(true);
  expect(copiedState(database, "con_1")).toEqual(state("1"));
  const changes = batch({ responses: [response("b", "Radio")], deletedIds: ["a", "never"], state: state("2") });
  expect(applyBatch(database, "con_1", state("1"), changes)).toBe(true);
  expect(copied()).toEqual([{ id: "b", response: "Radio" }]);
  expect(shops.find("con_1")).toMatchObject({ responses: 1, deletions: 1 });
  expect(applyBatch(database, "con_1", state("2"), batch({ reset: true, responses: [response("c")] }))).toBe(true);
  expect(copied()).toEqual([{ id: "c", response: "TV" }]);
});

test("a batch that follows on another state changes nothing: the shop was forgotten meanwhile, or connected again", () => {
  applyBatch(database, "con_1", null, batch({ responses: [response("a")] }));
  shops.forget("con_1");
  const late = batch({ responses: [response("b")], state: state("2") });
  expect(applyBatch(database, "con_1", state("1"), late)).toBe(false);
  shops.remember(CONNECTION);
  expect(applyBatch(database, "con_1", state("1"), late)).toBe(false);
  expect([copied(), copiedState(database, "con_1")]).toEqual([[], null]);
});

test("a batch that can't be kept leaves the copy and its state as they were", () => {
  applyBatch(database, "con_1", null, batch({ responses: [response("a")] }));
  const broken = { ...response("b"), inserted_at: null } as unknown as ResponseRecord;
  expect(() => applyBatch(database, "con_1", state("1"), batch({ responses: [broken], state: state("2") }))).toThrow(
    "NOT NULL",
  );
  expect([copied(), copiedState(database, "con_1")]).toEqual([[{ id: "a", response: "TV" }], state("1")]);
});

test("after a crash between two steps the next start has the shops that have tokens, and no others", async () => {
  applyBatch(database, "con_1", null, batch({ responses: [response("a")] }));
  const store = new MemoryStore();
  await store.put({ ...CONNECTION, id: "con_2" });
  const access = { baseUrl: "https://connect.example", clientId: "client_x", clientSecret: "pcs_x" };
  await shops.reconcile(new PartnerConnect({ ...access, store }).connections());
  expect(shops.list().map(({ connectionId }) => connectionId)).toEqual(["con_2"]);
  expect(copied()).toEqual([]);
});
