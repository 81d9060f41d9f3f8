import { Semaphore } from "@partner-connect/service-runtime";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ask, type Reader, shopOfLargePages } from "../testing/large-pages.ts";
import { type TestResourceServer, type TestShop, testResourceServer } from "../testing.ts";
import { Permits } from "./permits.ts";

const nextTurn = () => vi.advanceTimersByTimeAsync(0);

describe("permits", () => {
  beforeEach(() => void vi.useFakeTimers());

  test("permits are granted in the order of the requests", async () => {
    const semaphore = new Semaphore(1, 1000);
    const given: string[] = [];
    for (const name of ["a", "b", "c"])
      void semaphore.take().then((is) => given.push(`${name} ${is}`));
    await nextTurn();
    expect(given).toEqual(["a true"]);
    semaphore.release();
    await nextTurn();
    expect(given).toEqual(["a true", "b true"]);
    await vi.advanceTimersByTimeAsync(1000);
    expect(given).toEqual(["a true", "b true", "c false"]);
    semaphore.release();
    expect([semaphore.taken, await semaphore.take()]).toEqual([0, true]);
  });

  test("a call that waits too long for its shop's permit gets 429 if another call of the shop has ended, else 503", async () => {
    const permits = new Permits({ ofShop: 2, inAll: 5, waitMs: 5000 });
    const releases = [await permits.take("hog"), await permits.take("hog")];
    const refusal = (status: number) =>
      expect(permits.take("hog")).rejects.toMatchObject({
        status,
        headers: { "retry-after": "5" },
      });
    const stuck = refusal(503);
    releases.push(await permits.take("other"));
    await vi.advanceTimersByTimeAsync(5000);
    await stuck;
    const served = permits.take("hog");
    const crowded = refusal(429);
    releases.shift()?.();
    releases.push(await served);
    await vi.advanceTimersByTimeAsync(5000);
    await crowded;
    for (const release of releases) release();
    expect(permits.taken).toBe(0);
  });

  test("if other shops use all permits for too long, a call gets 503 and its shop's permit is free again", async () => {
    const permits = new Permits({ ofShop: 1, inAll: 1, waitMs: 5000 });
    const release = await permits.take("a");
    const refused = expect(permits.take("b")).rejects.toMatchObject({
      status: 503,
      headers: { "retry-after": "5" },
    });
    await vi.advanceTimersByTimeAsync(5000);
    await refused;
    release();
    release(); // a repeated release does nothing
    expect(permits.taken).toBe(0);
    (await permits.take("b"))();
  });
});

describe("a request's permit", () => {
  let server: TestResourceServer;
  const readers: Reader[] = [];

  async function start(permits: Partial<{ ofShop: number; inAll: number; waitMs: number }>) {
    server = await testResourceServer({ permits });
    return [await shopOfLargePages(server), await server.newShop()];
  }
  afterEach(async () => {
    for (const { socket } of readers.splice(0)) socket.destroy();
    await expect.poll(() => server.permits.taken).toBe(0);
    await server.close();
  });

  function read(shop: TestShop, options?: Parameters<typeof ask>[2]): Reader {
    const reader = ask(server.url, shop.apiKey, options);
    readers.push(reader);
    return reader;
  }
  const small = async (shop: TestShop) => {
    const answer = await server.get("/api/responses?limit=1", shop.apiKey);
    return [answer.status, await answer.text(), answer.headers.get("retry-after")];
  };
  const isFound = [200, expect.any(String), null];

  test("a permit is released only when the response has been read or the connection is closed", async () => {
    const [hog, other] = (await start({ ofShop: 3, waitMs: 300 })) as [TestShop, TestShop];
    const unread = Array.from({ length: 3 }, () => read(hog));
    expect(await Promise.all(unread.map(({ status }) => status))).toEqual([200, 200, 200]);
    expect(await small(hog)).toEqual([503, '{"error":"unavailable"}', "5"]);
    expect(await small(other)).toEqual(isFound);
    await unread[0]?.rest();
    await expect.poll(() => server.permits.taken).toBe(2);
    expect(await small(hog)).toEqual(isFound);
    unread[1]?.socket.destroy();
    await expect.poll(() => server.permits.taken).toBe(1);
  });

  test("each pipelined request with an unread response takes a permit, which is released when the connection closes", async () => {
    const [hog] = (await start({ ofShop: 4, waitMs: 60_000 })) as [TestShop];
    // later requests might overtake the first one while its key is looked up
    expect(await small(hog)).toEqual(isFound);
    const reader = read(hog, { count: 20 });
    expect(await reader.status).toBe(200);
    await expect.poll(() => server.permits.taken).toBe(4);
    reader.socket.destroy();
    await expect.poll(() => server.permits.taken).toBe(0);
    expect(await small(hog)).toEqual(isFound);
  });

  test("a permit is released whenever its client disconnects", async () => {
    const [hog] = (await start({ ofShop: 3, waitMs: 60_000 })) as [TestShop];
    await server.owner.begin(async (transaction) => {
      // Some requests wait for their permit, and the others for Postgres.
      await transaction`LOCK TABLE survey.responses IN ACCESS EXCLUSIVE MODE`;
      const waiting = Array.from({ length: 10 }, () => read(hog));
      await expect.poll(() => server.permits.taken).toBe(3);
      for (const { socket } of waiting) socket.destroy();
    });
    for (let after = 0; after < 40; after++) {
      const { socket, status } = read(hog, {
        path: `/api/responses?limit=${1 + (after % 3) * 400}`,
      });
      if (after % 2) socket.once("connect", () => socket.destroy());
      else void status.then(() => socket.destroy());
    }
    await expect.poll(() => server.permits.taken, { timeout: 30_000 }).toBe(0);
    expect(await small(hog)).toEqual(isFound);
  });
});
