import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { operatorOnOwnDatabase } from "../../testing/own-database.ts";
import { refused, stderrOf } from "../../testing.ts";

const { sql, cli } = await operatorOnOwnDatabase({ PARTNER_CONNECT_OPERATOR: "otto" });
let shop: string;

beforeAll(async () => {
  await cli.json("merchant", "create", "--email", "anna@shop.example", "--password", "correct horse", "--name", "Anna");
});

beforeEach(async () => {
  shop = (await cli.json("shop", "create", "--name", "Hats", "--owner", "anna@shop.example")).id;
});

describe("shop", () => {
  test("show tells its plan, its members and what has access to it", async () => {
    await cli.json("api-key", "create", "--shop", shop);
    expect(await cli.json("shop", "show", shop)).toEqual({
      id: shop,
      name: "Hats",
      plan: "standard",
      domain: null,
      created_at: expect.stringMatching(/Z$/),
      connections: 0,
      api_keys: 1,
      test_of: null,
      members: [
        {
          merchant_id: expect.stringMatching(/^mer_/),
          email: "anna@shop.example",
          name: "Anna",
          since: expect.stringMatching(/Z$/),
        },
      ],
    });
    const { stdout } = await cli("shop", "show", shop);
    expect(stdout).toMatch(/name +Hats\n[\s\S]*API keys +1,[\s\S]*MEMBER +NAME[\s\S]*anna@shop\.example +Anna +/);
  });

  test("rename gives it another name, recorded once", async () => {
    const renamed = { id: shop, name: "Hats and Caps", plan: "standard" };
    expect(await cli.json("shop", "rename", shop, " Hats and Caps ")).toEqual(renamed);
    expect(await cli.json("shop", "rename", shop, "Hats and Caps")).toEqual(renamed);
    expect(await cli.json("shop", "list")).toContainEqual(expect.objectContaining(renamed));
    const log = await sql`
      SELECT actor, details FROM oauth.audit_log WHERE shop_id = ${shop} AND event = 'shop_rename'`;
    expect([...log]).toEqual([{ actor: "operator:otto", details: { name: { from: "Hats", to: "Hats and Caps" } } }]);
  });

  test.each<[string[], RegExp]>([
    [["show", "shop_x"], /no shop "shop_x"; 'partner-connect shop list' lists them/],
    [["rename", "shop_x", "Caps"], /no shop "shop_x"/],
    [["rename", "SHOP", " "], /shop's name is empty/],
  ])("%j is refused, and changes nothing", async (words, line) => {
    expect(await cli("shop", ...words.map((word) => (word === "SHOP" ? shop : word)))).toEqual(refused(line));
    expect(await cli.json("shop", "show", shop)).toMatchObject({ name: "Hats" });
  });
});

describe("api-key", () => {
  test("list tells the hour of the last call", async () => {
    const { id } = await cli.json("api-key", "create", "--shop", shop);
    await sql`
      INSERT INTO oauth.api_usage (shop_id, caller_id, hour, calls, records, refused, failed)
      SELECT ${shop}, ${id}, date_trunc('hour', now()) - make_interval(hours => ago), 1, 1, 0, 0
      FROM (VALUES (3), (50)) AS made (ago)`;
    const [key] = await cli.json("api-key", "list", "--shop", shop);
    expect(key).toMatchObject({ id, shop_id: shop, revoked_at: null });
    expect((Date.now() - Date.parse(key.last_used_at)) / 3_600_000).toBeGreaterThan(2.9);
    expect((Date.now() - Date.parse(key.last_used_at)) / 3_600_000).toBeLessThan(4.1);
    const { stdout } = await cli.atTerminal(100).with({ NO_COLOR: "1" })("api-key", "list", "--shop", shop);
    expect(stdout).toMatch(new RegExp(`${id} +Hats +active +[34] h ago`));
  });

  test("revoke says whose key ends, and asks on a terminal", async () => {
    const { id } = await cli.json("api-key", "create", "--shop", shop);
    const asked = await cli.atTerminal().typing("\n")("api-key", "revoke", id);
    expect(asked.code).toBe(1);
    expect(asked.stderr).toContain(`API key ${id} of Hats (never used, as far as we count) ends for good`);
    expect(await cli.json("api-key", "revoke", id, "--dry-run")).toMatchObject({ dry_run: true });
    expect(await cli.json("api-key", "list", "--shop", shop)).toMatchObject([{ revoked_at: null }]);
    expect(await cli.atTerminal()("api-key", "revoke", id, "--yes")).toMatchObject({
      code: 0,
      stderr: stderrOf("api_key_revoke"),
    });
    expect(await cli.json("api-key", "list", "--shop", shop)).toMatchObject([{ revoked_at: expect.any(String) }]);
    expect((await cli("api-key", "revoke", id, "--dry-run")).stdout).toBe("Nothing would change.\n");
  });
});

describe("question and source list", () => {
  test("questions are as the API shows them", async () => {
    const question = { id: 7, prompt: "How did you\thear about us?", responses: [{ id: 1, value: "TV" }] };
    await cli.typing(JSON.stringify(question)).json("question", "import", "--shop", shop, "-");
    const listed = await cli.json("question", "list", "--shop", shop);
    expect(listed).toMatchObject([{ ...question, published_at: null, updated_at: expect.stringMatching(/Z$/) }]);
    expect((await cli("question", "list", "--shop", shop)).stdout).toMatch(/\n7 +How did you hear about us\? +1 +/);
  });

  test("sources are as the API shows them", async () => {
    await sql`INSERT INTO survey.sources (shop_id, name, type, aliases) VALUES (${shop}, 'Pod', 'podcast', '{p,q}')`;
    expect(await cli.json("source", "list", "--shop", shop)).toEqual([
      {
        id: expect.stringMatching(/^src_/),
        name: "Pod",
        type: "podcast",
        external_id: null,
        url: null,
        aliases: ["p", "q"],
        inserted_at: expect.stringMatching(/Z$/),
        updated_at: expect.stringMatching(/Z$/),
      },
    ]);
    expect((await cli("source", "list", "--shop", shop)).stdout).toMatch(/src_\w+ +Pod +podcast .* p, q/);
  });

  test.each(["question", "source"])("%s list is empty for a shop without, and an error for none", async (noun) => {
    expect(await cli.json(noun, "list", "--shop", shop)).toEqual([]);
    expect((await cli(noun, "list", "--shop", shop)).stdout).toBe(`The shop has no such ${noun}s.\n`);
    expect(await cli(noun, "list", "--shop", "shop_x")).toEqual(
      refused(/no shop "shop_x"; 'partner-connect shop list'/),
    );
  });
});
