import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { operatorOnOwnDatabase } from "../../testing/own-database.ts";
import { misused, refused } from "../../testing.ts";

const { cli } = await operatorOnOwnDatabase({ PARTNER_CONNECT_OPERATOR: "ops" });
let shop: string;

beforeAll(async () => {
  for (const name of ["anna", "ben", "eve"]) {
    await cli.json("merchant", "create", "--email", `${name}@shop.example`, "--name", name, "--generate-password");
  }
});
beforeEach(async () => {
  shop = (await cli.json("shop", "create", "--name", "Hats", "--owner", "anna@shop.example")).id;
});

const isIn = async (email: string) =>
  ((await cli.json("merchant", "show", email)) as { shops: { id: string }[] }).shops.some(({ id }) => id === shop);

describe("the members of a shop", () => {
  test("are added and removed", async () => {
    expect(await cli.json("shop", "add-member", shop, "Ben@shop.example")).toEqual({
      shop_id: shop,
      merchant_id: expect.stringMatching(/^mer_/),
      email: "ben@shop.example",
      name: "ben",
    });
    expect(await isIn("ben@shop.example")).toBe(true);
    expect(await cli.json("shop", "list")).toContainEqual(
      expect.objectContaining({ id: shop, members: ["anna@shop.example", "ben@shop.example"] }),
    );
    const removed = await cli("shop", "remove-member", shop, "anna@shop.example");
    expect(removed.stdout).toContain("anna (anna@shop.example) is removed from the shop.");
    expect(await isIn("anna@shop.example")).toBe(false);
    const actions = (await cli.json("audit", "list", "--shop", shop)) as { action: string; actor: string }[];
    expect(
      actions
        .map(({ action }) => action)
        .filter((action) => action.startsWith("member_"))
        .sort(),
    ).toEqual(["member_add", "member_remove"]);
    expect(new Set(actions.map(({ actor }) => actor))).toEqual(new Set(["operator:ops"]));
  });

  test("get an account by --create, with a link to set its password", async () => {
    const added = await cli.json("shop", "add-member", shop, "new@shop.example", "--create");
    expect(added).toMatchObject({ email: "new@shop.example", name: "new" });
    expect(added.link).toMatch(/\/oauth\/password\/reset\?link=pcl_[\w-]{43}$/);
    const again = await cli("shop", "add-member", shop, "named@shop.example", "--create", "--name", "Nia");
    expect(again.stdout).toMatch(/^Nia \(named@shop\.example\) is a member of the shop now\.[\s\S]*link=pcl_/);
    const mailed = cli.with({ MAIL_FROM: "post@connect.example", MAIL_KEY: "a mail key of 32 characters....." });
    expect((await mailed.json("shop", "add-member", shop, "by-mail@shop.example", "--create")).link).toBe(null);
    // There is an account, and nothing to set.
    expect(await cli.json("shop", "add-member", shop, "ben@shop.example", "--create")).not.toHaveProperty("link");
    expect(await cli("shop", "add-member", shop, "eve@shop.example", "--name", "Eve")).toEqual(
      misused(/--name is for a new account: give --create too/),
    );
  });

  test.each<[string[], RegExp]>([
    [["add-member", "shop_none", "ben@shop.example"], /there is no shop "shop_none"/],
    [["remove-member", "SHOP", "anna@shop.example", "--dry-run"], /keeps one member at least/],
  ])("%j is refused, and nothing changes", async (words, line) => {
    const given = words.map((word) => (word === "SHOP" ? shop : word));
    expect(await cli("shop", ...given)).toEqual(refused(line));
    expect([await isIn("anna@shop.example"), await isIn("ben@shop.example")]).toEqual([true, false]);
  });
});
