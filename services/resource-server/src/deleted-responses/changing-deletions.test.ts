import { describe, expect, test } from "vitest";
import { seededRandom } from "../../../../test/harness/faults/seeded-random.ts";
import { suiteServer } from "../testing.ts";
import { type Deletion, deletionsOf, idsOf } from "./testing.ts";

const server = await suiteServer();

const after = ({ id, deleted_at }: Deletion): string => `starting_after=${id}&cursor_time=${deleted_at}`;

describe("the list of deletions, while records come back and go", () => {
  test("a record that is imported again leaves it, and deleted once more stands at the new time", async () => {
    const deletions = deletionsOf(server, await server.newShop());
    await deletions.import("a", "b", "c");
    await deletions.delete("a", "b");
    const [a, b] = (await deletions.page()).data as [Deletion, Deletion];
    await deletions.import("a");
    expect(idsOf(await deletions.page())).toEqual(["b"]);
    await deletions.delete("c");
    await deletions.delete("a");
    const { data } = await deletions.page();
    expect(data.map(({ id }) => id)).toEqual(["b", "c", "a"]);
    const times = data.map(({ deleted_at }) => deleted_at);
    expect(times).toEqual(times.toSorted());
    // Who was shown it at the former time goes on from there.
    expect(idsOf(await deletions.page(after(a)))).toEqual(["b", "c", "a"]);
    expect(idsOf(await deletions.page(after(b)))).toEqual(["c", "a"]);
  });

  test("an id alone means where the record stands now", async () => {
    const deletions = deletionsOf(server, await server.newShop());
    await deletions.import("a", "b", "c");
    await deletions.delete("a");
    await deletions.page();
    await deletions.import("a");
    await deletions.delete("b");
    await deletions.delete("a");
    await deletions.delete("c");
    expect(idsOf(await deletions.page("starting_after=a"))).toEqual(["c"]);
    expect(idsOf(await deletions.page("ending_before=a"))).toEqual(["b"]);
  });

  test("a cursor on a record that is back leads on", async () => {
    const deletions = deletionsOf(server, await server.newShop());
    await deletions.import("a", "b");
    await deletions.delete("a");
    const [a] = (await deletions.page()).data as [Deletion];
    await deletions.delete("b");
    await deletions.import("a");
    for (const query of [after(a), "starting_after=a"]) {
      const page = await deletions.page(query);
      expect([idsOf(page), page.prev, page.next]).toEqual([["b"], null, null]);
    }
  });

  test("whoever follows it misses no deletion, however many write at once, and what is listed is gone", async () => {
    const shop = await server.newShop();
    const deletions = deletionsOf(server, shop);
    const random = seededRandom(14);
    const ids = Array.from({ length: 24 }, (_, index) => `r${index}`);
    const some = () => ids.filter(() => random() < 0.3);
    await deletions.import(...ids);
    const copies = [1, 3].map((limit) => ({ limit, seen: [] as Deletion[], last: null as Deletion | null }));
    const follow = async (copy: (typeof copies)[number]): Promise<number> => {
      const cursor = copy.last ? `&${after(copy.last)}` : "";
      const { data } = await deletions.page(`limit=${copy.limit}${cursor}`);
      copy.seen.push(...data);
      copy.last = data.at(-1) ?? copy.last;
      return data.length;
    };
    let isWriting = true;
    const readers = copies.map(async (copy) => {
      while (isWriting) await follow(copy);
      while ((await follow(copy)) > 0);
    });
    const writers = Array.from({ length: 4 }, async () => {
      for (let turn = 0; turn < 12; turn++) {
        await deletions.delete(...some());
        await deletions.import(...some());
      }
    });
    await Promise.all(writers);
    isWriting = false;
    await Promise.all(readers);

    const { data } = await deletions.page("limit=1000");
    const live = await server.owner<{ id: string }[]>`SELECT id FROM survey.responses WHERE shop_id = ${shop.id}`;
    expect([...idsOf({ data, prev: null, next: null }), ...live.map(({ id }) => id)].toSorted()).toEqual(
      ids.toSorted(),
    );
    for (const { seen } of copies) {
      for (const deletion of data) expect(seen).toContainEqual(deletion);
      const times = seen.map(({ deleted_at }) => deleted_at);
      expect(times).toEqual(times.toSorted());
      expect(new Set(seen.map(({ id, deleted_at }) => `${id} ${deleted_at}`)).size).toBe(seen.length);
    }
  });
});
