import { suiteDatabase } from "@partner-connect/database/testing/suite";
import { describe, expect, test } from "vitest";
import {
  createClient,
  createMerchant,
  createShop,
  findClient,
  findMerchantByEmail,
  hashCredential,
  listClients,
  listShops,
  rotateClientSecret,
  setShopPlan,
  shopsOfMerchant,
  verifyPassword,
} from "../index.ts";

const database = await suiteDatabase();
const sql = database.connect(database.url, { name: "directory-test" });

const operator = { name: "operator:test" };
const anna = { email: "anna@shop.example", password: "correct horse", name: "Anna", passwordFrom: "script" } as const;
const app = {
  name: "App",
  redirectUris: ["https://partner.example/callback"],
  scope: ["responses:read"],
  allowDuplicateName: true,
};
const refusal = (code: string, message: RegExp) =>
  expect.objectContaining({ code, message: expect.stringMatching(message) });

describe("a merchant", () => {
  test("is kept with a normalized email and an argon2id hash of the password", async () => {
    const merchant = await createMerchant(sql, { ...anna, email: " Anna@Shop.example " }, operator);
    expect(merchant).toEqual({ id: expect.stringMatching(/^mer_/), email: "anna@shop.example", name: "Anna" });
    const found = await findMerchantByEmail(sql, "ANNA@shop.example");
    expect(found?.passwordHash).toMatch(/^\$argon2id\$/);
    expect(await verifyPassword(found?.passwordHash ?? "", anna.password)).toBe(true);
    expect(await verifyPassword(found?.passwordHash ?? "", "Correct horse")).toBe(false);
    expect(await verifyPassword(null, anna.password)).toBe(false);
  });

  test("can't share an email with another, in whatever case", async () => {
    await expect(createMerchant(sql, { ...anna, email: "ANNA@SHOP.EXAMPLE" }, operator)).rejects.toEqual(
      refusal("EMAIL_TAKEN", /anna@shop\.example exists/),
    );
  });

  test("of two created at once with one email, one is refused", async () => {
    const both = [
      createMerchant(sql, { ...anna, email: "twin@shop.example" }, operator),
      createMerchant(sql, { ...anna, email: "Twin@shop.example" }, operator),
    ];
    const outcomes = await Promise.allSettled(both);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  });

  test.each([
    "",
    "anna",
    "anna@",
    "@shop.example",
    "anna@shop",
    "a b@shop.example",
    "anna@shop..example",
    ".anna@shop.example",
    "anna.@shop.example",
    "anna@-shop.example",
    "anna@shop.example\u0000",
    "anna@shop.example, eve@shop.example",
    "änna@shop.example",
    "anna@shöp.example",
    "mi\u212aa@shop.example",
    '"anna"@shop.example',
    "anna@shop.example>",
    `${"a".repeat(65)}@shop.example`,
    `a@${"b".repeat(63)}.${"b".repeat(63)}.${"b".repeat(63)}.${"b".repeat(63)}.example`,
  ])("can't have the email %j", async (email) => {
    await expect(createMerchant(sql, { ...anna, email }, operator)).rejects.toEqual(
      refusal("INVALID_EMAIL", /not an email/),
    );
  });

  test.each(["first.last+tag@sub.shop.example", "o'neil@shop.example", "1@2.example"])(
    "can have the email %s",
    async (email) => {
      expect((await createMerchant(sql, { ...anna, email }, operator)).email).toBe(email);
    },
  );

  test("can't have the email as the password", async () => {
    await expect(
      createMerchant(sql, { ...anna, email: "b@shop.example", password: "B@shop.example" }, operator),
    ).rejects.toEqual(refusal("INVALID_PASSWORD", /email address/));
  });

  test.each<[string, RegExp]>([
    ["", /empty/],
    ["  ", /empty/],
    ["An\u0000na", /control/],
    ["An\nna", /control/],
    ["An\u202ena", /direction/],
    ["An\u200bna", /invisible/],
    ["\u3164", /invisible/],
    ["\u2800\u2800", /invisible/],
    ["\u00ad", /invisible/],
    ["Look\u00adout", /invisible/],
    ["Look\u2800out", /invisible/],
    ["\uffa0\u115f\u1160", /invisible/],
    ["Lookout\u{e0061}", /invisible/],
    ["\u0301", /nothing to read/],
    ["x".repeat(101), /longer/],
  ])("can't have the name %j", async (name, message) => {
    await expect(createMerchant(sql, { ...anna, email: "b@shop.example", name }, operator)).rejects.toEqual(
      refusal("INVALID_NAME", message),
    );
  });

  test.each(["Zoë & Søn <b>", "株式会社", "👩‍🔧 Repairs", "O'Neil"])("can have the name %s", async (name) => {
    const email = `${crypto.randomUUID()}@shop.example`;
    expect((await createMerchant(sql, { ...anna, email, name: ` ${name} ` }, operator)).name).toBe(name);
  });
});

describe("a shop", () => {
  const hats = { name: "Hats", ownerEmail: "Anna@shop.example", plan: "standard" };

  test("belongs to its owner, and its plan can change", async () => {
    const shop = await createShop(sql, { ...hats, domain: "Hats.example" }, operator);
    expect(shop).toEqual({
      id: expect.stringMatching(/^shop_/),
      name: "Hats",
      domain: "hats.example",
      plan: "standard",
    });
    const owner = await findMerchantByEmail(sql, "anna@shop.example");
    expect(await shopsOfMerchant(sql, owner?.id ?? "")).toEqual([shop]);
    expect(await setShopPlan(sql, shop.id, "advanced_attribution", operator)).toEqual({
      ...shop,
      plan: "advanced_attribution",
    });
    expect(await listShops(sql)).toEqual([
      { ...shop, plan: "advanced_attribution", memberEmails: ["anna@shop.example"] },
    ]);
  });

  test("needs an owner who exists", async () => {
    await expect(createShop(sql, { ...hats, ownerEmail: "eve@shop.example" }, operator)).rejects.toEqual(
      refusal("UNKNOWN_MERCHANT", /"eve@shop.example"/),
    );
    expect(await listShops(sql)).toHaveLength(1);
  });

  test("needs a plan that exists", async () => {
    await expect(createShop(sql, { ...hats, plan: "gold" }, operator)).rejects.toEqual(
      refusal("INVALID_PLAN", /standard or advanced_attribution/),
    );
    await expect(setShopPlan(sql, "shop_x", "Standard", operator)).rejects.toEqual(
      refusal("INVALID_PLAN", /"Standard"/),
    );
  });

  test("needs a name that can be read", async () => {
    await expect(createShop(sql, { ...hats, name: "\t" }, operator)).rejects.toEqual(
      refusal("INVALID_NAME", /shop's name is empty/),
    );
  });

  test.each(["", "hats", "https://hats.example", "hats.example/x", "-hats.example", "häts.example"])(
    "can't have the domain %j",
    async (domain) => {
      await expect(createShop(sql, { ...hats, domain }, operator)).rejects.toEqual(
        refusal("INVALID_DOMAIN", /not a domain/),
      );
    },
  );

  test("that does not exist can't change its plan", async () => {
    await expect(setShopPlan(sql, "shop_x", "standard", operator)).rejects.toEqual(refusal("UNKNOWN_SHOP", /"shop_x"/));
  });
});

describe("a client", () => {
  test("gets an id and a secret, of which only the hash is kept", async () => {
    const scope = ["responses:read", "sources:write", "responses:read"];
    const { client, secret } = await createClient(sql, { ...app, scope }, operator);
    expect(client.clientId).toMatch(/^client_[0-9a-f]{24}$/);
    expect(secret).toMatch(/^pcs_[A-Za-z0-9_-]{43}$/);
    expect(await findClient(sql, client.clientId)).toEqual({
      ...client,
      name: "App",
      redirectUris: ["https://partner.example/callback"],
      scope: ["responses:read", "sources:write"],
      grantTypes: ["authorization_code", "refresh_token"],
      status: "active",
      secrets: [{ hash: hashCredential(secret), expiresAt: null, lastUsedAt: null }],
    });
    expect(JSON.stringify(await sql`SELECT * FROM directory.clients, directory.client_secrets`)).not.toContain(secret);
  });

  test("keeps several redirect URIs in order, each once, byte for byte", async () => {
    const redirectUris = ["https://B.example:443/cb?x=%2f", "http://localhost/cb", "https://B.example:443/cb?x=%2f"];
    const { client } = await createClient(sql, { ...app, redirectUris }, operator);
    expect((await findClient(sql, client.clientId))?.redirectUris).toEqual(redirectUris.slice(0, 2));
  });

  test("can have one grant type only", async () => {
    const { client } = await createClient(sql, { ...app, grantTypes: ["authorization_code"] }, operator);
    expect((await findClient(sql, client.clientId))?.grantTypes).toEqual(["authorization_code"]);
  });

  test.each<[object, string, RegExp]>([
    [{ name: "" }, "INVALID_NAME", /client's name/],
    [{ redirectUris: [] }, "INVALID_REDIRECT_URI", /at least one/],
    [
      { redirectUris: ["https://a.example/", "http://a.example/"] },
      "INVALID_REDIRECT_URI",
      /"http:\/\/a\.example\/" is http/,
    ],
    [{ redirectUris: ["https://a.example/\r\nX: y"] }, "INVALID_REDIRECT_URI", /^[\x20-\x7e]*$/],
    [{ scope: [] }, "INVALID_SCOPE", /at least one/],
    [{ scope: ["responses:read", "openid"] }, "INVALID_SCOPE", /"openid" is not a scope/],
    [{ scope: ["Responses:read"] }, "INVALID_SCOPE", /responses:read and sources:write/],
    [{ scope: [""] }, "INVALID_SCOPE", /"" is not/],
    [{ grantTypes: [] }, "INVALID_GRANT_TYPE", /at least one/],
    [{ grantTypes: ["authorization_code", "implicit"] }, "INVALID_GRANT_TYPE", /"implicit"/],
  ])("is refused with %j", async (input, code, message) => {
    const before = (await listClients(sql)).length;
    await expect(createClient(sql, { ...app, ...input }, operator)).rejects.toEqual(refusal(code, message));
    expect(await listClients(sql)).toHaveLength(before);
  });
});

describe("rotating a client's secret", () => {
  const secretsOf = async (clientId: string) => (await findClient(sql, clientId))?.secrets ?? [];

  test("with an overlap keeps the former one until then", async () => {
    const { client, secret } = await createClient(sql, app, operator);
    const before = Date.now();
    const rotation = await rotateClientSecret(sql, client.clientId, 3600, operator);
    const passed = Date.now() - before;
    expect(rotation.client).toEqual(client);
    const secrets = await secretsOf(client.clientId);
    expect(secrets).toHaveLength(2);
    expect(secrets).toContainEqual({ hash: hashCredential(rotation.secret), expiresAt: null, lastUsedAt: null });
    expect(secrets).toContainEqual({
      hash: hashCredential(secret),
      expiresAt: rotation.formerSecretExpiresAt,
      lastUsedAt: null,
    });
    const left = (rotation.formerSecretExpiresAt?.getTime() ?? 0) - before;
    // The clocks of Postgres and of this process may differ by a second.
    expect(left).toBeGreaterThan(3599_000);
    expect(left).toBeLessThan(3601_000 + passed);
  });

  test("without one ends the former at once", async () => {
    const { client } = await createClient(sql, app, operator);
    await rotateClientSecret(sql, client.clientId, 3600, operator);
    const rotation = await rotateClientSecret(sql, client.clientId, 0, operator);
    expect(rotation.formerSecretExpiresAt).toBeNull();
    expect(await secretsOf(client.clientId)).toEqual([
      { hash: hashCredential(rotation.secret), expiresAt: null, lastUsedAt: null },
    ]);
  });

  test("is refused while the last one's overlap runs, also many at once", async () => {
    const { client } = await createClient(sql, app, operator);
    const rotations = await Promise.allSettled(
      Array.from({ length: 8 }, () => rotateClientSecret(sql, client.clientId, 60, operator)),
    );
    const done = rotations.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
    const refused = rotations.flatMap((each) => (each.status === "rejected" ? [each.reason] : []));
    expect(done).toHaveLength(1);
    expect(refused).toEqual(Array(7).fill(refusal("ROTATION_UNDER_WAY", /until 20.*Z$/)));
    const secrets = await secretsOf(client.clientId);
    expect(secrets).toHaveLength(2);
    expect(secrets).toContainEqual({ hash: hashCredential(done[0]?.secret ?? ""), expiresAt: null, lastUsedAt: null });
  });

  test("is possible again when the overlap is over", async () => {
    const { client } = await createClient(sql, app, operator);
    await rotateClientSecret(sql, client.clientId, 60, operator);
    await sql`
      UPDATE directory.client_secrets SET expires_at = now()
      WHERE client_id = ${client.clientId} AND expires_at IS NOT NULL`;
    await rotateClientSecret(sql, client.clientId, 60, operator);
    expect(await secretsOf(client.clientId)).toHaveLength(2);
  });

  test.each([-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 30 * 24 * 3600 + 1])(
    "refuses an overlap of %d seconds",
    async (seconds) => {
      await expect(rotateClientSecret(sql, "client_x", seconds, operator)).rejects.toEqual(
        refusal("INVALID_OVERLAP", /30 days/),
      );
    },
  );

  test("refuses a client that does not exist", async () => {
    await expect(rotateClientSecret(sql, "client_x", 0, operator)).rejects.toEqual(
      refusal("UNKNOWN_CLIENT", /"client_x"/),
    );
  });
});
