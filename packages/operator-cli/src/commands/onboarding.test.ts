import { connectDatabase, type Sql } from "@partner-connect/database";
import { freshDatabase, type TestDatabase } from "@partner-connect/database/testing";
import { findClient, findMerchantByEmail, hashCredential, verifyPassword } from "@partner-connect/directory";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { misused, type Operator, operator, type Refusal, refused } from "../testing.ts";

let database: TestDatabase;
let sql: Sql;
let cli: Operator;

beforeAll(async () => {
  database = await freshDatabase(process.env["TEST_DATABASE_URL"]);
  sql = connectDatabase(database.url, { name: "cli-test" });
  cli = operator({ DATABASE_URL: database.url });
  await cli.json("merchant", "create", "--email", "anna@shop.example", "--password", "correct horse", "--name", "Anna");
});

afterAll(async () => {
  await sql?.end();
  await database?.drop();
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
      stderr: "",
    });
    expect(told.stdout).not.toContain("correct horse");
  });

  test("reads the password from stdin", async () => {
    await cli
      .typing("from a pipe\n")
      .json("merchant", "create", "--email", "pipe@shop.example", "--password", "-", "--name", "P");
    const merchant = await findMerchantByEmail(sql, "pipe@shop.example");
    expect(await verifyPassword(merchant?.passwordHash ?? null, "from a pipe")).toBe(true);
  });

  test.each<[string[], RegExp | Refusal]>([
    [
      ["--email", "ANNA@shop.example", "--password", "correct horse", "--name", "A"],
      /anna@shop\.example exists already/,
    ],
    [["--email", "anna", "--password", "correct horse", "--name", "A"], /"anna" is not an email/],
    [["--email", "c@shop.example", "--password", "short", "--name", "A"], /8 to 256 characters/],
    [["--email", "c@shop.example", "--password", "correct horse", "--name", " "], /name is empty/],
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
      owners: ["anna@shop.example"],
    });
    expect((await cli("shop", "set-plan", id, "standard")).stdout).toContain("Shop Shoes is on the plan standard.");
  });

  test.each<[string[], RegExp | Refusal]>([
    [["create", "--name", "Hats", "--owner", "eve@shop.example"], /no merchant with the email "eve@shop\.example"/],
    [
      ["create", "--name", "Hats", "--owner", "anna@shop.example", "--plan", "gold"],
      /"gold" is not a plan: use standard or advanced_attribution/,
    ],
    [["create", "--name", "", "--owner", "anna@shop.example"], /name is empty/],
    [["create", "--name", "Hats", "--owner", "anna@shop.example", "--domain", "hats"], /"hats" is not a domain/],
    [["create", "--name", "Hats"], misused(/--owner <email>' not specified/)],
    [["set-plan", "shop_x", "standard"], /no shop "shop_x"/],
    [["set-plan", "shop_x", "gold"], /"gold" is not a plan/],
    [["set-plan", "shop_x"], misused(/missing required argument 'plan'/)],
  ])("%j is refused", async (words, line) => {
    expect(await cli("shop", ...words)).toEqual(refused(line));
  });
});

describe("client", () => {
  const create = ["client", "create", "--name", "Acme", "--redirect-uri", "https://acme.example/cb", "--scope"];
  const createAcme = () => cli.json(...create, "responses:read");

  test("create prints the client with its secret, of which the hash is kept [client.onboarding]", async () => {
    const client = await cli.json(...create, "responses:read sources:write", "--redirect-uri", "http://localhost/cb");
    expect(client).toEqual({
      client_id: expect.stringMatching(/^client_[A-Za-z0-9]+$/),
      client_secret: expect.stringMatching(/^pcs_[A-Za-z0-9_-]{43}$/),
      name: "Acme",
      redirect_uris: ["https://acme.example/cb", "http://localhost/cb"],
      scope: "responses:read sources:write",
      grant_types: ["authorization_code", "refresh_token"],
    });
    expect((await findClient(sql, client.client_id))?.secrets).toEqual([
      { hash: hashCredential(client.client_secret), expiresAt: null },
    ]);
  });

  test("create takes --scope and --grant-type more than once", async () => {
    const words = [...create, "sources:write", "--scope", "responses:read", "--grant-type", "refresh_token"];
    expect(await cli.json(...words)).toMatchObject({
      scope: "sources:write responses:read",
      grant_types: ["refresh_token"],
    });
    expect(await cli.json(...words, "--grant-type", "authorization_code")).toMatchObject({
      grant_types: ["authorization_code", "refresh_token"],
    });
  });

  test("create tells people that the secret is shown once [client.onboarding]", async () => {
    const told = await cli(...create, "responses:read");
    expect(told.stdout).toMatch(/client_secret +pcs_\S+\n/);
    expect(told.stdout).toMatch(/never shown again\.\n$/);
  });

  test("list shows every client and no secret", async () => {
    const client = await createAcme();
    const { client_secret, ...rest } = client;
    expect(await cli.json("client", "list")).toContainEqual({ ...rest, status: "active" });
    const told = await cli("client", "list");
    expect(told.stdout).toMatch(new RegExp(`${client.client_id} +Acme +active +responses:read +https://acme`));
    expect(told.stdout).not.toContain("pcs_");
  });

  test("disable and enable say what the client is now, and may repeat", async () => {
    const { client_id, client_secret, ...rest } = await createAcme();
    for (const [verb, status] of [
      ["disable", "disabled"],
      ["disable", "disabled"],
      ["enable", "active"],
    ] as const) {
      expect(await cli.json("client", verb, client_id)).toEqual({ client_id, ...rest, status });
      expect((await findClient(sql, client_id))?.status).toBe(status);
    }
    expect((await cli("client", "disable", client_id)).stdout).toBe(`Client Acme (${client_id}) is disabled.\n`);
  });

  test("rotate-secret --overlap keeps both secrets until then", async () => {
    const { client_secret, ...rest } = await createAcme();
    const rotated = await cli.json("client", "rotate-secret", rest.client_id, "--overlap", "2h");
    expect(rotated).toEqual({ ...rest, client_secret: expect.stringMatching(/^pcs_/) });
    const secrets = (await findClient(sql, rest.client_id))?.secrets ?? [];
    expect(secrets).toContainEqual({ hash: hashCredential(rotated.client_secret), expiresAt: null });
    const former = secrets.find(({ hash }) => hash.equals(hashCredential(client_secret)));
    expect(Math.round(((former?.expiresAt?.getTime() ?? 0) - Date.now()) / 60_000)).toBe(120);
  });

  test("rotate-secret --now ends the former secret", async () => {
    const { client_id } = await createAcme();
    const told = await cli("client", "rotate-secret", client_id, "--now");
    expect(told.stdout).toMatch(/new secret; the former one has ended/);
    expect((await findClient(sql, client_id))?.secrets).toHaveLength(1);
  });

  test("rotate-secret breaks nobody unless told: the overlap is a day", async () => {
    const { client_id } = await createAcme();
    const told = await cli("client", "rotate-secret", client_id);
    const until = /works until (\S+)\.\n/.exec(told.stdout)?.[1] ?? "";
    expect(Math.round((Date.parse(until) - Date.now()) / 3_600_000)).toBe(24);
  });

  test.each<[string[], RegExp | Refusal]>([
    [[...create.slice(1), "openid"], /"openid" is not a scope/],
    [[...create.slice(1), ""], /at least one scope/],
    [
      ["create", "--name", "Acme", "--redirect-uri", "http://acme.example/", "--scope", "responses:read"],
      /is http, which only localhost/,
    ],
    [
      ["create", "--name", "Acme", "--redirect-uri", "javascript:alert(1)", "--scope", "responses:read"],
      /is not an absolute URI/,
    ],
    [
      ["create", "--name", "Acme", "--redirect-uri", "https://acme.example/\nX", "--scope", "responses:read"],
      /can't have/,
    ],
    [["create", "--name", "Acme", "--scope", "responses:read"], misused(/--redirect-uri <uri>' not specified/)],
    [
      ["create", "--name", "A\u202eme", "--redirect-uri", "https://acme.example/", "--scope", "responses:read"],
      /client's name/,
    ],
    [[...create.slice(1), "responses:read", "--grant-type", "password"], /"password" is not a grant type/],
    [["disable", "client_x"], /no client "client_x"/],
    [["enable", "client_x"], /no client "client_x"/],
    [["rotate-secret", "client_x"], /no client "client_x"/],
    [["rotate-secret", "client_x", "--overlap", "soon"], misused(/"soon" is not a time such as/)],
    [["rotate-secret", "client_x", "--overlap", "31d"], /30 days/],
    [
      ["rotate-secret", "client_x", "--overlap", "1h", "--now"],
      misused(/'--now' cannot be used with option '--overlap <time>'/),
    ],
  ])("%j is refused", async (words, line) => {
    expect(await cli("client", ...words)).toEqual(refused(line));
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
    expect(await cli.json("api-key", "list", "--shop", shop)).toContainEqual(revoked);
    expect((await cli("api-key", "revoke", id)).stdout).toBe(`API key ${id} is revoked.\n`);
  });

  test.each<[string[], RegExp | Refusal]>([
    [["create", "--shop", "shop_x"], /no shop "shop_x"/],
    [["create"], misused(/--shop <shop>' not specified/)],
    [["revoke", "key_x"], /no API key with the id "key_x"/],
  ])("%j is refused", async (words, line) => {
    expect(await cli("api-key", ...words)).toEqual(refused(line));
  });
});
