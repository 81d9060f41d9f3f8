import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { ask, type Reader, shopOfTwoSizes, TWO_SIZES_IDS } from "../../answers/testing.ts";
import { type TestResourceServer, type TestShop, testResourceServer } from "../../testing.ts";
import type { ListBody, ListedRecord } from "../testing.ts";

const MEGABYTE = 1024 * 1024;
const MEMORY = 40 * MEGABYTE;
const NDJSON = { accept: "application/x-ndjson" };

let server: TestResourceServer;
const shops: TestShop[] = [];
const readers: Reader[] = [];

beforeAll(async () => {
  server = await testResourceServer({ answerMemory: MEMORY });
  for (let i = 0; i < 4; i++) shops.push(await shopOfTwoSizes(server));
});
afterEach(async () => {
  for (const { socket } of readers.splice(0)) socket.destroy();
  await expect.poll(() => server.answers.held).toBe(0);
});
afterAll(() => server.close());

describe("an export of records of 200 bytes and of 130 KB", () => {
  test("holds what it asked room for and no more, and others' pages are answered while it lies", async () => {
    for (const { apiKey } of [...shops, ...shops]) {
      const reader = ask(server.url, apiKey, NDJSON);
      readers.push(reader);
      expect(await reader.status).toBe(200);
    }
    const booked = server.answers.held;
    expect(booked).toBeLessThan(MEMORY / 2);
    const innocent = await server.newShop();
    for (let i = 0; i < 40; i++) {
      const page = await server.get("/api/responses?limit=1000", innocent.apiKey);
      expect([page.status, ((await page.json()) as ListBody).data]).toEqual([200, []]);
      expect(server.answers.held).toBe(booked);
      await sleep(50);
    }
  });

  test("has each of them once, in order", async () => {
    const response = await server.get("/api/responses", shops[0]?.apiKey, NDJSON);
    const lines = (await response.text()).split("\n").slice(0, -1);
    expect(lines.map((line) => (JSON.parse(line) as ListedRecord).id)).toEqual(TWO_SIZES_IDS);
  });
});
