import { hashCredential } from "@partner-connect/directory";
import { beforeAll, describe, expect, test } from "vitest";
import { operatorOnOwnDatabase } from "../../testing/own-database.ts";
import { misused, type Refusal, refused, stderrOf } from "../../testing.ts";

const { sql, cli } = await operatorOnOwnDatabase();

beforeAll(async () => {
  await cli.json("merchant", "create", "--email", "anna@shop.example", "--password", "correct horse", "--name", "Anna");
});

describe("merchant create", () => {
  test("prints the merchant", async () => {
    const words = ["merchant", "create", "--password", "correct horse", "--name", "Bo"];
    expect(await cli.json(...words, "--email", "Bo@shop.example")).toEqual({
      id: expect.stringMatching(/^mer_/),
      email: "bo@shop.example",
      name: "Bo",
    });
    const told = await cli(...words, "--email", "bo2@shop.example");
    expect(told).toEqual({
      code: 0,
      stdout: expect.stringMatching(/Created merchant Bo\.\n\n {2}id +mer_/),
      stderr: stderrOf("merchant_create", /The password has fewer than 15 characters\. .*\n/),
    });
    expect(told.stdout).not.toContain("correct horse");
  });

  test.each<[string[], RegExp | Refusal]>([
    [["--email", "anna", "--password", "correct horse", "--name", "A"], /"anna" is not an email/],
    [
      ["--email", "c@shop.example", "--password", "correct horse"],
      misused(/--name <name>' not specified; see 'partner-connect merchant create --help'/),
    ],
  ])("refuses %j", async (words, line) => {
    expect(await cli("merchant", "create", ...words)).toEqual(refused(line));
  });
});

describe("shop", () => {
  test("create prints the shop, on the standard plan unless told", async () => {
    const words = ["shop", "create", "--name", "Hats", "--owner", "anna@shop.example"];
    expect(await cli.json(...words)).toEqual({ id: expect.stringMatching(/^shop_/), name: "Hats", plan: "standard" });
    expect(await cli.json(...words, "--plan", "advanced_attribution")).toMatchObject({ plan: "advanced_attribution" });
    expect((await cli(...words)).stdout).toMatch(/Created shop Hats\.\n\n {2}id +shop_\w+\n {2}plan +standard\n$/);
  });

  test("set-plan changes the plan", async () => {
    const { id } = await cli.json(
      "shop",
      "create",
      "--name",
      "Shoes",
      "--owner",
      "Anna@shop.example",
      "--domain",
      "shoes.example",
    );
    const changed = { id, name: "Shoes", plan: "advanced_attribution" };
    expect(await cli.json("shop", "set-plan", id, "advanced_attribution")).toEqual(changed);
    expect(await cli.json("shop", "list")).toContainEqual({
      ...changed,
      domain: "shoes.example",
      members: ["anna@shop.example"],
    });
    expect((await cli("shop", "set-plan", id, "standard")).stdout).toContain("Shop Shoes is on the plan standard.");
  });

  test.each<[string[], RegExp | Refusal]>([
    [["create", "--name", "Hats"], misused(/--owner <email>' not specified/)],
    [["set-plan", "shop_x", "gold"], /"gold" is not a plan/],
    [["set-plan", "shop_x"], misused(/missing required argument 'plan'/)],
  ])("%j is refused", async (words, line) => {
    expect(await cli("shop", ...words)).toEqual(refused(line));
  });
});

describe("api-key", () => {
  let shop: string;

  beforeAll(async () => {
    shop = (await cli.json("shop", "create", "--name", "Keys", "--owner", "anna@shop.example")).id;
  });

  test("create prints the key once, and only its hash is kept", async () => {
    const key = await cli.json("api-key", "create", "--shop", shop);
    expect(key).toEqual({
      id: expect.stringMatching(/^key_/),
      api_key: expect.stringMatching(/^pck_[A-Za-z0-9_-]{43}$/),
      shop_id: shop,
    });
    const [row] = await sql`SELECT key_hash FROM directory.api_keys WHERE id = ${key.id}`;
    expect(row?.["key_hash"]).toEqual(hashCredential(key.api_key));
    expect((await cli("api-key", "create", "--shop", shop)).stdout).toMatch(
      /api_key +pck_\S+\n[\s\S]*never shown again/,
    );
    expect((await cli("api-key", "list")).stdout).not.toContain("pck_");
  });

  test("revoke ends the key, and repeating it changes nothing", async () => {
    const { id } = await cli.json("api-key", "create", "--shop", shop);
    const revoked = await cli.json("api-key", "revoke", id);
    expect(revoked).toEqual({ id, shop_id: shop, created_at: expect.any(String), revoked_at: expect.any(String) });
    expect(await cli.json("api-key", "revoke", id)).toEqual(revoked);
    expect(await cli.json("api-key", "list", "--shop", shop)).toContainEqual({ ...revoked, last_used_at: null });
    expect((await cli("api-key", "revoke", id)).stdout).toBe(`API key ${id} is revoked.\n`);
  });

  test.each<[string[], RegExp | Refusal]>([
    [["create", "--shop", "shop_x"], /no shop "shop_x"/],
    [["create"], misused(/--shop <shop>' not specified/)],
    [["revoke", "key_x"], /no API key with the id "key_x"; 'partner-connect api-key list' lists them/],
    [["list", "--shop", "shop_x"], /no shop "shop_x"/],
  ])("%j is refused", async (words, line) => {
    expect(await cli("api-key", ...words)).toEqual(refused(line));
  });
});
