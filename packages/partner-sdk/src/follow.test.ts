import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import type { Change, PartnerConnection } from "./api-types.ts";
import { type FollowSource, follow } from "./follow.ts";
import type { FollowOptions, FollowState } from "./follow-options.ts";
import { type Clock, systemClock } from "./network.ts";
import type { StoredConnection } from "./stores.ts";

const ids = (count: number) => Array.from({ length: count }, (_, index) => `con_${index}`);
const revoked = (id: string) =>
  ({ connection_id: id, shop_id: id, status: "revoked", kind: "connection" }) as Change;

/** A partner with a feed of revoked connections; its store is empty. */
function feedOf(
  all: readonly string[],
  others: Partial<FollowSource["partner"]> = {},
): FollowSource {
  const partner: FollowSource["partner"] = {
    async *connections() {},
    async *listConnections() {},
    async changes({ after, limit = 1000 }) {
      const start = Number(after ?? 0);
      const data = all.slice(start, start + limit).map(revoked);
      const end = start + data.length;
      return { data, cursor: String(end), has_more: end < all.length };
    },
    shop: () => Object(null),
    ...others,
  };
  return { partner, clock: systemClock, prepare() {} };
}

const aborted = ({ signal }: AbortController) =>
  signal.aborted || new Promise((resolve) => signal.addEventListener("abort", resolve));

const nothing: FollowOptions = {
  loadState: () => null,
  saveState: () => true,
  loadCopyState: () => null,
  apply: () => true,
  onError(error) {
    throw error;
  },
};

test("follow doesn't hang if expired connections are added while a thousand connections are in progress", async () => {
  const [stop, begun, full] = [new AbortController(), new AbortController(), new AbortController()];
  const source = feedOf(ids(1001), {
    async *listConnections({ status }) {
      if (status !== "expired") return;
      await aborted(begun);
      await turn();
      yield { id: "con_expired", shop: { id: "shop" }, status } as never;
      setImmediate(() => full.abort());
    },
  });
  await follow(source, {
    ...nothing,
    signal: stop.signal,
    async onConnectionChange({ connectionId }) {
      begun.abort();
      await aborted(full);
      if (connectionId === "con_1000") stop.abort();
    },
  });
  expect(stop.signal.aborted).toBe(true);
});

test("follow syncs a reconnected shop that is still in the list of expired connections", async () => {
  const stop = new AbortController();
  const [listing, busy] = [new AbortController(), new AbortController()];
  let synced = 0;
  const source = feedOf([], {
    async *listConnections({ status }) {
      if (status !== "expired") return;
      listing.abort();
      yield { id: "con_x", shop: { id: "shop" }, status } as never;
      await aborted(busy);
      await turn();
    },
    async changes({ after }) {
      await aborted(after === "1" ? stop : listing);
      const again = { connection_id: "con_x", shop_id: "shop", status: "connected" };
      return { data: [{ ...again, kind: "responses" } as Change], cursor: "1", has_more: false };
    },
    shop: () =>
      ({
        syncResponses() {
          if (++synced === 1) throw new Error("busy");
          stop.abort();
          return [];
        },
      }) as never,
  });
  await follow(source, {
    ...nothing,
    signal: stop.signal,
    loadState: () => ({ version: 1, cursor: "0", pending: [] }),
    onError: () => busy.abort(),
    onConnectionChange: () => stop.abort(),
  });
  expect(synced).toBe(2);
});

test("a clock that is set back by an hour doesn't stop follow for an hour", async () => {
  const stop = new AbortController();
  let now = Date.now();
  const slept: number[] = [];
  const source = feedOf(ids(1001));
  const clock: Clock = {
    now: () => now,
    async sleep(ms, signal) {
      slept.push(ms);
      await systemClock.sleep(Math.min(ms, 1000), signal);
    },
  };
  await follow(
    { ...source, clock },
    {
      ...nothing,
      signal: stop.signal,
      onConnectionChange({ connectionId }) {
        if (connectionId === "con_0") now -= 3_600_000;
        if (connectionId === "con_1000") stop.abort();
      },
    },
  );
  expect(slept).toContain(200);
});

test("if follow is aborted during its check of all connections, the next run continues the check", async () => {
  const all = ids(3000);
  const asked: unknown[] = [];
  const source = feedOf(all, {
    async *connections() {
      for (const id of all) yield { id, shop: { id } } as StoredConnection;
    },
    async *listConnections({ status }) {
      if (!status) for (const id of all) yield { id } as PartnerConnection;
    },
  });
  const { changes } = source.partner;
  source.partner.changes = async (options) => {
    asked.push(options.after);
    return await changes(options);
  };
  let saved: FollowState | null = null;
  for (const end of ["2000", "3000"]) {
    const stop = new AbortController();
    await follow(source, {
      ...nothing,
      signal: stop.signal,
      loadState: () => saved,
      saveState(state) {
        saved = state;
        if (state.cursor === end && Boolean(state.checking) === (end === "2000")) stop.abort();
      },
    });
  }
  expect(asked).toEqual([null, "1000", "2000"]);
  expect(saved).toEqual({ version: 1, cursor: "3000", pending: [] });
});

test("follow returns if it is aborted while a state is saved", async () => {
  const stop = new AbortController();
  const saveState = () => stop.abort();
  await follow(feedOf(ids(20)), { ...nothing, signal: stop.signal, saveState });
  expect(stop.signal.aborted).toBe(true);
});
