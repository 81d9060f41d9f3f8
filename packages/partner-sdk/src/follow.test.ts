import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import type { Change } from "./api-types.ts";
import { type FollowSource, follow } from "./follow.ts";
import type { FollowOptions } from "./follow-options.ts";
import { systemClock } from "./network.ts";

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

const nothing: FollowOptions = {
  loadState: () => null,
  saveState: () => true,
  loadCopyState: () => null,
  apply: () => true,
  onError(error) {
    throw error;
  },
};

test("regression: follow hung if it added expired connections while a thousand others were in progress", async () => {
  const [stop, begun, full] = [new AbortController(), new AbortController(), new AbortController()];
  const aborted = ({ signal }: AbortController) =>
    signal.aborted || new Promise((resolve) => signal.addEventListener("abort", resolve));
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
