import { setTimeout as sleep } from "node:timers/promises";
import { beforeEach, describe, expect, test } from "vitest";
import { systemClock } from "../clock.ts";
import { CursorExpired, ReconnectRequired, Unavailable, UnknownConnection } from "../errors/index.ts";
import type { Change } from "../partner-api/records.ts";
import type { ShopClient } from "../shop/shop-client.ts";
import type { SyncBatch } from "../shop/sync/sync-batch.ts";
import type { SyncState } from "../shop/sync/sync-state.ts";
import { type FollowSource, follow } from "./follow.ts";
import type { FollowOptions } from "./follow-options.ts";
import type { FollowState } from "./follow-state.ts";

type Entry = Omit<Change, "at" | "shop_id">;

/** A server whose shops are lists of ids, each with a time; and a feed of the latest entry for each connection and kind. */
class World {
  readonly shops = new Map<string, string[]>();
  readonly failing = new Map<string, Error>();
  readonly calls: string[] = [];
  entries: { number: number; entry: Entry }[] = [];
  number = 0;
  /** Cursors from before then are refused. */
  expiredBefore = 0;
  store: string[] = [];

  tell(id: string, kind: string, status = "connected"): void {
    const entry: Entry = { connection_id: id, kind, status };
    const others = this.entries.filter(({ entry: old }) => old.connection_id !== id || old.kind !== kind);
    this.entries = [...others, { number: ++this.number, entry }];
  }

  add(id: string, ...ids: string[]): void {
    this.shops.set(id, [...(this.shops.get(id) ?? []), ...ids]);
    this.tell(id, "responses");
  }

  readonly source: FollowSource = {
    clock: { now: systemClock.now, sleep: (ms, signal) => systemClock.sleep(Math.min(ms, 20), signal) },
    changes: async ({ after, limit = 100, wait, signal }) => {
      const from = Number(after ?? 0);
      if (from > 0 && from < this.expiredBefore) throw new CursorExpired();
      const rest = () => this.entries.filter(({ number }) => number > from);
      for (let waits = 0; wait && waits < 20 && rest().length === 0; waits++) await sleep(5, undefined, { signal });
      const page = rest().slice(0, limit);
      const data = page.map(({ entry }) => ({ ...entry, shop_id: `shop of ${entry.connection_id}`, at: "now" }));
      return { data, cursor: String(page.at(-1)?.number ?? (from || this.number)), has_more: rest().length > limit };
    },
    connections: async function* (this: World) {
      for (const id of this.store) yield { id, shop: { id: `shop of ${id}` } } as never;
    }.bind(this),
    prepare: (id) => this.calls.push(`prepare ${id}`),
    shop: (id) => this.#shop(id) as unknown as ShopClient,
  };

  #shop(id: string) {
    const ids = () => {
      this.calls.push(`read ${id}`);
      const failure = this.failing.get(id);
      if (failure) throw failure;
      return this.shops.get(id) ?? [];
    };
    return {
      async *syncResponses(state: SyncState | null): AsyncGenerator<SyncBatch> {
        const all = ids();
        const from = all.indexOf(state?.response?.id ?? "");
        if (from < 0) yield batchOf(null, { reset: true });
        for (const response of all.slice(from + 1)) yield batchOf(response, { responses: [{ id: response }] as never });
        yield batchOf(all.at(-1) ?? null, {});
      },
      async *listResponses() {
        for (const response of ids()) yield { id: response };
      },
      async *listQuestions() {
        yield { id: ids().length };
      },
    };
  }
}

function batchOf(id: string | null, part: Partial<SyncBatch>): SyncBatch {
  const state = { version: 1, response: id && { id, updated_at: "then" }, deletion: null } as unknown as SyncState;
  return { reset: false, responses: [], documents: [], deletedIds: [], state, ...part };
}

/** A partner's database, and what it was told. */
class Copies {
  state: FollowState | null = null;
  readonly shops = new Map<string, { state: SyncState; ids: string[]; resets: number }>();
  readonly told: string[] = [];
  readonly troubles: [string | null, string][] = [];

  options(more: Partial<FollowOptions> = {}): FollowOptions {
    return {
      readState: () => this.state,
      keepState: (state, previous) => {
        if (JSON.stringify(previous) !== JSON.stringify(this.state)) return false;
        this.state = structuredClone(state);
        return true;
      },
      readCopyState: (id) => this.shops.get(id)?.state ?? null,
      apply: ({ reset, responses, state }, { connectionId, previous }) => {
        const copy = this.shops.get(connectionId) ?? { ids: [], resets: 0, state: null };
        if (JSON.stringify(copy.state) !== JSON.stringify(previous)) return false;
        const ids = [...(reset ? [] : copy.ids), ...responses.map(({ id }) => id)];
        this.shops.set(connectionId, { state, ids, resets: copy.resets + Number(reset) });
        return true;
      },
      connectionChanged: ({ connectionId, status }) => void this.told.push(`${connectionId} ${status}`),
      trouble: (error, id) => void this.troubles.push([id, (error as Error).name]),
      ...more,
    };
  }

  get all() {
    return Object.fromEntries([...this.shops].map(([id, { ids }]) => [id, ids]));
  }
}

let world: World;
let copies: Copies;
beforeEach(() => {
  world = new World();
  copies = new Copies();
});

/** Follows until `until` holds. */
async function followUntil(until: () => boolean, more: Partial<FollowOptions> = {}): Promise<void> {
  const stop = new AbortController();
  const following = follow(world.source, { ...copies.options(more), signal: stop.signal });
  await Promise.race([following, expect.poll(until, { interval: 2, timeout: 5000 }).toBe(true)]);
  stop.abort();
  await following;
}

const isDone = () => copies.state?.pending.length === 0 && copies.state.cursor === String(world.number);

describe("following all shops", () => {
  test("copies each shop, then what is new, also of a connection that begins, and tells which has ended [follow.copies]", async () => {
    world.add("a", "a1", "a2");
    world.tell("a", "connection");
    await followUntil(isDone);
    expect(copies.all).toEqual({ a: ["a1", "a2"] });
    world.add("a", "a3");
    world.add("b", "b1");
    world.tell("b", "connection");
    world.tell("c", "connection", "revoked");
    world.tell("c", "responses", "revoked");
    await followUntil(isDone);
    expect(copies.all).toEqual({ a: ["a1", "a2", "a3"], b: ["b1"] });
    expect(copies.told).toEqual(["a connected", "b connected", "c revoked"]);
    expect(copies.troubles).toEqual([]);
    expect(world.calls).not.toContain("prepare c");
  });

  test("keeps the cursor before it reads what that told, with what is pending [follow.kill]", async () => {
    world.add("a", "a1");
    await followUntil(isDone);
    const before = copies.state;
    world.add("a", "a2");
    await expect(
      followUntil(isDone, {
        apply: () => {
          throw new Error("the database is gone");
        },
        trouble: (error) => {
          throw error;
        },
      }),
    ).rejects.toThrow("the database is gone");
    expect(copies.state).toMatchObject({ cursor: "2", pending: [{ connection_id: "a", kinds: ["responses"] }] });
    expect(before?.pending).toEqual([]);
    expect(copies.all).toEqual({ a: ["a1"] });
    await followUntil(isDone);
    expect(copies.all).toEqual({ a: ["a1", "a2"] });
  });

  test("a shop that fails holds up no other, is pending across a restart, and is read once it works [follow.failing]", async () => {
    world.failing.set("bad", new Unavailable("no", 1));
    world.add("bad", "x1");
    world.add("good", "g1");
    await followUntil(() => copies.all["good"]?.length === 1 && copies.state !== null, { parallel: 1 });
    world.add("good", "g2");
    await followUntil(() => copies.all["good"]?.length === 2, { parallel: 1 });
    expect(copies.troubles[0]).toEqual(["bad", "Unavailable"]);
    expect(copies.state?.pending.map(({ connection_id }) => connection_id)).toContain("bad");
    world.failing.clear();
    await followUntil(isDone);
    expect(copies.all).toEqual({ good: ["g1", "g2"], bad: ["x1"] });
  });

  test("a connection whose tokens come into the store a moment later is copied, and nobody is alarmed [follow.begins]", async () => {
    world.failing.set("new", new UnknownConnection("new"));
    world.add("new", "n1");
    setTimeout(() => world.failing.clear(), 50);
    await followUntil(isDone);
    expect(copies.all).toEqual({ new: ["n1"] });
    expect(copies.troubles).toEqual([]);
  });

  test("refused tokens of a connection that the feed calls connected are told, and stay pending; of one that it doesn't know are told once [follow.reconnect]", async () => {
    world.failing.set("replaced", new ReconnectRequired("replaced", "grant revoked"));
    world.add("replaced", "r1");
    world.store = ["replaced", "dead"];
    world.failing.set("dead", new ReconnectRequired("dead", "refresh token expired"));
    const pending = () => copies.state?.pending.map(({ connection_id }) => connection_id).join(" ");
    await followUntil(() => pending() === "replaced" && copies.troubles.filter(([id]) => id === "replaced").length > 1);
    expect(copies.troubles.filter(([id]) => id === "dead")).toEqual([["dead", "ReconnectRequired"]]);
    world.failing.clear();
    await followUntil(isDone);
    expect(copies.all).toEqual({ replaced: ["r1"] });
  });

  test("what a restored server has lost leaves the copy; copies that lost nothing are not made again [follow.restored]", async () => {
    world.store = ["a", "b", "gone"];
    world.add("a", "a1");
    world.add("b", "b1", "b2");
    await followUntil(isDone);
    expect(copies.shops.get("a")?.resets).toBe(1);
    world.shops.set("b", ["b1", "other"]);
    world.number += 100;
    world.expiredBefore = world.number;
    world.entries = world.entries.map(({ entry }) => ({ entry, number: ++world.number }));
    await followUntil(isDone);
    expect(copies.all).toMatchObject({ a: ["a1"], b: ["b1", "other"] });
    expect([copies.shops.get("a")?.resets, copies.shops.get("b")?.resets]).toEqual([1, 2]);
  });

  test("two processes with one database do no harm [follow.processes]", async () => {
    for (let shop = 0; shop < 20; shop++) world.add(`s${shop}`, "1");
    await Promise.all([followUntil(isDone), followUntil(isDone)]);
    const both = [followUntil(isDone), followUntil(isDone)];
    for (let shop = 0; shop < 20; shop++) world.add(`s${shop}`, "2", "3");
    await Promise.all(both);
    await followUntil(isDone);
    expect(new Set(Object.values(copies.all).map(String))).toEqual(new Set(["1,2,3"]));
  });

  test("reads no further in the feed while a thousand connections are in hand [follow.back-pressure]", async () => {
    for (let shop = 0; shop < 3500; shop++) world.add(`s${shop}`, "1");
    const most: number[] = [];
    await followUntil(isDone, { progress: ({ inHand }) => most.push(inHand), applyQuestions: () => {} });
    expect(Object.keys(copies.all).length).toBe(3500);
    expect(Math.max(...most)).toBeLessThan(2000);
  });

  test("gives questions to those who want them, and ends by its signal alone [follow.ends]", async () => {
    world.tell("a", "questions");
    world.tell("a", "something newer");
    const seen: unknown[] = [];
    await followUntil(isDone, { applyQuestions: (questions) => void seen.push(questions) });
    expect(seen).toEqual([[{ id: 0 }]]);
    const aborted = AbortSignal.abort();
    await follow(world.source, { ...copies.options(), signal: aborted });
  });

  test("a state that is none of ours is told, and ends it if the app wants that", async () => {
    copies.state = { version: 2 } as never;
    const end = (error: unknown) => {
      throw error;
    };
    await expect(followUntil(() => false, { trouble: end })).rejects.toMatchObject({ code: "invalid_request" });
  });
});
