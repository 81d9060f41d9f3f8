import { hashCredential } from "@partner-connect/directory";
import { beforeEach, expect, test } from "vitest";
import { misused, operatorOnOwnDatabase, refused, stderrOf } from "../testing.ts";

const { sql, cli } = await operatorOnOwnDatabase({ PARTNER_CONNECT_OPERATOR: "otto" });

let shop: string;

for (const name of ["anna", "ben", "eve"]) {
  const words = ["--name", name, "--password", "correct horse"];
  await cli.json("merchant create --email", `${name}@shop.example`, ...words);
}
beforeEach(async () => {
  shop = (await cli.json("shop create --name Hats --owner anna@shop.example")).id;
});

test("shop create prints the shop, on the standard plan by default", async () => {
  const words = ["shop create --name Shoes --owner Anna@shop.example --domain shoes.example"];
  const made = await cli.json(...words);
  expect(made).toEqual({ id: expect.stringMatching(/^shop_/), name: "Shoes", plan: "standard" });
  expect((await cli(...words, "--plan", "advanced_attribution")).stdout).toMatch(
    /^Created shop Shoes\.\n\n {2}id +shop_\w+\n {2}plan +advanced_attribution\n$/,
  );
  const listed = { ...made, domain: "shoes.example", members: ["anna@shop.example"] };
  expect(await cli.json("shop list")).toContainEqual(listed);
});

test("shop show prints the shop's plan and members, and how many apps and keys have access", async () => {
  await cli.json("api-key create --shop", shop);
  const since = expect.stringMatching(/Z$/);
  expect(await cli.json("shop show", shop)).toEqual({
    id: shop,
    name: "Hats",
    plan: "standard",
    domain: null,
    created_at: since,
    connections: 0,
    api_keys: 1,
    test_of: null,
    members: [
      {
        merchant_id: expect.stringMatching(/^mer_/),
        email: "anna@shop.example",
        name: "anna",
        since,
      },
    ],
  });
  const { stdout } = await cli("shop show", shop);
  expect(stdout).toMatch(
    /name +Hats\n[\s\S]*api_keys +1[\s\S]*MEMBER +NAME[\s\S]*anna@shop\.example +anna +/,
  );
});

test("shop set-plan and rename change the shop, and renaming it to the same name adds no audit record", async () => {
  expect(await cli.json("shop set-plan", shop, "advanced_attribution")).toMatchObject({
    plan: "advanced_attribution",
  });
  expect((await cli("shop set-plan", shop, "standard")).stdout).toContain(
    "Shop Hats is on the plan standard.",
  );
  const renamed = { id: shop, name: "Hats and Caps", plan: "standard" };
  expect(await cli.json("shop rename", shop, " Hats and Caps ")).toEqual(renamed);
  expect(await cli.json("shop rename", shop, "Hats and Caps")).toEqual(renamed);
  const log =
    await sql`SELECT actor, details FROM oauth.audit_log WHERE shop_id = ${shop} AND event = 'shop_rename'`;
  expect(log).toEqual([
    { actor: "operator:otto", details: { name: { from: "Hats", to: "Hats and Caps" } } },
  ]);
});

test.each<[string[], RegExp]>([
  [["set-plan", "SHOP", "gold"], /"gold" is not a plan/],
  [["list", "--plan", "gold"], /"gold" is not a plan/],
  [["rename", "SHOP", " "], /shop's name is empty/],
  [["remove-member", "SHOP", "anna@shop.example"], /keeps one member at least/],
])("shop %j is refused, and changes nothing", async (words, line) => {
  expect(await cli("shop", ...words.map((word) => (word === "SHOP" ? shop : word)))).toEqual(
    refused(line),
  );
  expect(await cli.json("shop show", shop)).toMatchObject({
    name: "Hats",
    plan: "standard",
    members: [{}],
  });
});

test("an argument that matches one shop or client by id and another by name is refused as ambiguous", async () => {
  const other = await cli.json("shop create --name", shop, "--owner", "anna@shop.example");
  const ambiguous = `several shops have the id or name "${shop}": ${shop} "Hats", ${other.id} "${shop}"; give `;
  for (const words of [["show"], ["erase", "--yes"]]) {
    expect(await cli("shop", ...words, shop)).toEqual(refused(new RegExp(ambiguous)));
  }
  expect(await cli.json("shop show", `id:${shop}`)).toMatchObject({ id: shop });
  expect(await cli.json("shop show", other.id)).toMatchObject({ id: other.id });

  const client =
    "client create --redirect-uri https://a.example/cb --scope responses:read --name".split(" ");
  const { client_id } = await cli.json(...client, "Acme");
  await cli.json(...client, client_id);
  expect(await cli("client show", client_id)).toEqual(
    refused(/several clients have the id or name/),
  );
});

const membersOf = async () =>
  (await cli.json("shop show", shop)).members.map(({ email }: { email: string }) => email);

test("shop add-member adds a member, and shop remove-member removes a member after a confirmation", async () => {
  expect(await cli.json("shop add-member", shop, "Ben@shop.example")).toEqual({
    shop_id: shop,
    merchant_id: expect.stringMatching(/^mer_/),
    email: "ben@shop.example",
    name: "ben",
  });
  expect(await membersOf()).toEqual(["anna@shop.example", "ben@shop.example"]);
  const effect = "anna (anna@shop.example) can't open the pages";
  expect(await cli.declined("shop remove-member", shop, "anna@shop.example")).toContain(effect);
  const removed = await cli("shop remove-member", shop, "anna@shop.example");
  expect(removed.stdout).toBe("anna (anna@shop.example) is removed from the shop.\n");
  expect(await membersOf()).toEqual(["ben@shop.example"]);
});

test("shop add-member --create creates an account, and prints a link to set its password", async () => {
  const words = ["new@shop.example", "--name", "Nia"];
  expect(await cli.json("shop add-member --create", shop, ...words)).toMatchObject({
    ...{ email: "new@shop.example", name: "Nia" },
    link: expect.stringMatching(/\/oauth\/password\/reset\?link=pcl_[\w-]{43}$/),
  });
  expect(await cli("shop add-member", shop, "eve@shop.example", "--name", "Eve")).toEqual(
    misused(/--name is for a new account: give --create too/),
  );
});

test("api-key create prints the key once, and only the key's hash is stored", async () => {
  const key = await cli.json("api-key create --shop", shop);
  expect(key).toEqual({
    id: expect.stringMatching(/^key_/),
    api_key: expect.stringMatching(/^pck_[A-Za-z0-9_-]{43}$/),
    shop_id: shop,
  });
  const [row] = await sql`SELECT key_hash FROM directory.api_keys WHERE id = ${key.id}`;
  expect(row?.["key_hash"]).toEqual(hashCredential(key.api_key));
  const told = await cli("api-key create --shop", shop);
  expect(told.stdout).toMatch(/api_key +pck_\S+\n[\s\S]*never shown again/);
  expect((await cli("api-key list")).stdout).not.toContain("pck_");
});

test("api-key revoke names the key's shop in its confirmation prompt, and changes nothing when it is repeated", async () => {
  const { id } = await cli.json("api-key create --shop", shop);
  expect(await cli.declined("api-key revoke", id)).toContain(
    `API key ${id} of Hats (never used) ends for`,
  );
  const yes = await cli.atTerminal()("api-key revoke", id, "--yes");
  expect(yes).toMatchObject({
    code: 0,
    stderr: stderrOf("api_key_revoke"),
    stdout: `API key ${id} is revoked.\n`,
  });
  expect((await cli("api-key revoke", id)).stderr).toBe("");
  const revoked = await cli.json("api-key revoke", id);
  const time = expect.any(String);
  expect(revoked).toEqual({ id, shop_id: shop, created_at: time, revoked_at: time });
  expect(await cli.json("api-key list --shop", shop)).toEqual([{ ...revoked, last_used_at: null }]);
});

test("api-key list shows the hour of the last call", async () => {
  const { id } = await cli.json("api-key create --shop", shop);
  await sql`
      INSERT INTO oauth.api_usage (shop_id, caller_id, hour, calls, records, refused, failed)
      VALUES (${shop}, ${id}, '2026-01-02T03:00Z', 1, 1, 0, 0), (${shop}, ${id}, '2026-01-01T03:00Z', 1, 1, 0, 0)`;
  const last_used_at = "2026-01-02T03:00:00.000Z";
  expect(await cli.json("api-key list --shop", shop)).toMatchObject([
    { id, revoked_at: null, last_used_at },
  ]);
});
