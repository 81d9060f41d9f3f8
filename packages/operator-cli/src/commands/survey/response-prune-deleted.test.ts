import { beforeAll, describe, expect, test } from "vitest";
import { operatorOnOwnDatabase } from "../../testing/own-database.ts";
import { misused } from "../../testing.ts";

const { sql, cli } = await operatorOnOwnDatabase({ PARTNER_CONNECT_OPERATOR: "otto" });
let shop: string;

beforeAll(async () => {
  await cli.json("merchant", "create", "--email", "anna@shop.example", "--password", "correct horse", "--name", "Anna");
  shop = (await cli.json("shop", "create", "--name", "Hats", "--owner", "anna@shop.example")).id;
  await sql`
    INSERT INTO survey.deleted_responses (shop_id, id, inserted_at, updated_at, deleted_at)
    SELECT ${shop}, 'r' || days, now(), now(), now() - make_interval(days => days)
    FROM unnest(ARRAY[390, 401, 402, 403]) AS days`;
});

const left = async (): Promise<string[]> =>
  (await sql<{ id: string }[]>`SELECT id FROM survey.deleted_responses ORDER BY id`).map(({ id }) => id);

describe("response prune-deleted", () => {
  test.each(["399d", "10m", "0d"])("--older-than %s is refused, as partners are promised 400 days", async (time) => {
    expect(await cli("response", "prune-deleted", "--older-than", time, "--yes")).toEqual(misused(/400d.*--force/));
    expect(await left()).toHaveLength(4);
  });

  test("says what it would forget, asks on a terminal, forgets it, and leaves a record", async () => {
    const said = `2 deletions of the shop ${shop} from before`;
    expect(await cli.json("response", "prune-deleted", "--dry-run")).toEqual({
      dry_run: true,
      effects: [expect.stringContaining(said)],
    });
    const no = await cli.atTerminal(200).typing("n\n")("response", "prune-deleted");
    expect([no.code, no.stdout]).toEqual([1, ""]);
    expect(await left()).toHaveLength(4);
    expect(await cli.json("response", "prune-deleted", "--older-than", "500d", "--yes")).toMatchObject({ pruned: [] });
    expect(await cli.json("response", "prune-deleted", "--yes")).toMatchObject({
      older_than_seconds: 400 * 86_400,
      pruned: [{ shop_id: shop, deletions: 2 }],
    });
    expect(await left()).toEqual(["r390", "r401"]);
    expect((await cli.json("audit", "list", "--shop", shop))[0]).toMatchObject({
      actor: "operator:otto",
      action: "response_prune_deleted",
      detail: { pruned: 2 },
    });
  });

  test("--force forgets younger ones too", async () => {
    const args = ["response", "prune-deleted", "--older-than", "1d", "--force", "--yes", "--shop"];
    expect((await cli(...args, "shop_none")).stderr).toContain("there is no shop");
    expect(await cli.json(...args, shop)).toMatchObject({ pruned: [{ shop_id: shop, deletions: 1 }] });
    expect(await left()).toEqual(["r390"]);
  });
});
