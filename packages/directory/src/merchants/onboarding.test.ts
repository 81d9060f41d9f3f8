import { suiteDatabase } from "@partner-connect/database/testing/suite";
import { expect, test } from "vitest";
import {
  canonicalEmail,
  clientDetails,
  createClient,
  createMerchant,
  createShop,
  endFormerSecret,
  findClient,
  findMerchantByEmail,
  hashCredential,
  listClients,
  listShops,
  rotateClientSecret,
  setShopPlan,
  shopsOfMerchant,
  shownAddress,
  verifyPassword,
} from "../index.ts";
import { shopFields } from "../shops/shop.ts";
import { onboardMerchant } from "../testing.ts";

const { sql } = await suiteDatabase();

const operator = { name: "operator:test" };
const anna = {
  email: "anna@shop.example",
  password: "correct horse",
  name: "Anna",
  passwordFrom: "script",
} as const;
const app = {
  name: "App",
  redirectUris: ["https://partner.example/callback"],
  scope: ["responses:read"],
  allowDuplicateName: true,
};
const refusal = (code: string, message: RegExp) =>
  expect.objectContaining({ code, message: expect.stringMatching(message) });

test("a merchant is stored with a normalized email and an argon2id hash of the password", async () => {
  const merchant = await createMerchant(sql, { ...anna, email: " Anna@Shop.example " }, operator);
  expect(merchant).toEqual({
    id: expect.stringMatching(/^mer_/),
    email: "anna@shop.example",
    name: "Anna",
  });
  const found = await findMerchantByEmail(sql, "ANNA@shop.example");
  expect(found?.passwordHash).toMatch(/^\$argon2id\$/);
  expect(await verifyPassword(found?.passwordHash ?? "", anna.password)).toBe(true);
  expect(await verifyPassword(found?.passwordHash ?? "", "Correct horse")).toBe(false);
  expect(await verifyPassword(null, anna.password)).toBe(false);
});

test("two merchants can't have emails that differ only in case, even if they are created concurrently", async () => {
  const taken = refusal("EMAIL_TAKEN", /anna@shop\.example exists/);
  await expect(
    createMerchant(sql, { ...anna, email: "ANNA@SHOP.EXAMPLE" }, operator),
  ).rejects.toEqual(taken);
  const both = ["twin@shop.example", "Twin@shop.example"].map((email) =>
    createMerchant(sql, { ...anna, email }, operator),
  );
  const outcomes = await Promise.allSettled(both);
  expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
});

test("a merchant's email address is refused if mail can't reach it exactly as it is written", async () => {
  const good = ["first.last+tag@sub.shop.example", "o'neil@shop.example", "1@2.example"];
  for (const email of good)
    expect((await createMerchant(sql, { ...anna, email }, operator)).email).toBe(email);
  const bad = [
    ...["", "a b@shop.example", "anna@shop.example\u0000", "anna@shop.example, eve@shop.example"],
    ...`anna anna@ @shop.example anna@shop anna@shop..example .anna@shop.example
        anna.@shop.example anna@-shop.example änna@shop.example anna@shöp.example/x
        anna@shöp.example:80 anna@sh%C3%B6p.exämple mi\u212aa@shop.example
        "anna"@shop.example anna@shop.example>`.split(/\s+/),
    `${"a".repeat(65)}@shop.example`,
    `a@${`${"b".repeat(63)}.`.repeat(4)}example`,
  ];
  const refused = refusal(
    "INVALID_EMAIL",
    /not an email address such as anna@shop\.example(?:: it has U\+[\dA-F]{4}, .*)?$/,
  );
  for (const email of bad) {
    await expect
      .soft(createMerchant(sql, { ...anna, email }, operator), email)
      .rejects.toEqual(refused);
  }
});

test("an email domain in any script is compared by its A-label and shown in its own script", async () => {
  const email = `b${crypto.randomUUID()}@`;
  const stored = `${email}xn--bcher-kva.example`;
  expect(
    (await createMerchant(sql, { ...anna, email: `${email}BÜCHER.example` }, operator)).email,
  ).toBe(stored);
  for (const typed of [
    "bücher.example",
    "bu\u0308cher.example",
    "xn--bcher-kva.example",
    "XN--Bcher-KVA.example",
  ])
    expect.soft((await findMerchantByEmail(sql, email + typed))?.email, typed).toBe(stored);
  expect(await findMerchantByEmail(sql, `${email}bucher.example`)).toBe(null);
  expect(shownAddress(stored)).toBe(`${email}bücher.example`);
  for (const same of ["anna@shop.example", "shop.example", "xn--.example"])
    expect(shownAddress(same)).toBe(same);
});

test("an email is shown in a form that is accepted as the same email", () => {
  // With a middle dot, a katakana middle dot and a zero-width non-joiner.
  const domains = ["xn--parallel-koa.cat", "xn--vek160nb2acz6g.example", "xn--mgba3gch31f060k.com"];
  const shown = domains.map((domain) => shownAddress(`anna@${domain}`));
  expect(shown).toEqual(["anna@paral·lel.cat", "anna@日本・語.example", `anna@${domains[2]}`]);
  expect(shown.map(canonicalEmail)).toEqual(domains.map((domain) => `anna@${domain}`));
});

test("a merchant can't have the email as the password", async () => {
  const merchant = { ...anna, email: "b@shop.example", password: "B@shop.example" };
  await expect(createMerchant(sql, merchant, operator)).rejects.toEqual(
    refusal("INVALID_PASSWORD", /email address/),
  );
});

test("a merchant's name is stored without invisible characters, and refused if no visible character is left", async () => {
  const good: [string, string?][] = [
    ["Zoë & Søn <b>"],
    ["株式会社"],
    ["👩‍🔧 Repairs"],
    ["O'Neil"],
    // Invisible characters are left out.
    ["An\u0000na\u202e", "Anna"],
    ["An\r\nna", "An na"],
    ["Look\u00ado\u200bu\u200et\u2800", "Lookout"],
    ["Pies \u{1f3f4}\u{e0067}\u{e0062}\u{e0077}\u{e006c}\u{e0073}\u{e007f}", "Pies \u{1f3f4}"],
  ];
  for (const [name, stored = name] of good) {
    const email = `${crypto.randomUUID()}@shop.example`;
    expect((await createMerchant(sql, { ...anna, email, name: ` ${name} ` }, operator)).name).toBe(
      stored,
    );
  }
  const bad: [string, RegExp][] = [
    ["", /empty/],
    ["  ", /empty/],
    ["\u3164", /empty/],
    ["\u2800 \u00ad", /empty/],
    ["\uffa0\u115f\u1160", /empty/],
    ["\u0301", /nothing to read/],
    ["x".repeat(101), /longer/],
  ];
  for (const [name, message] of bad) {
    const creating = createMerchant(sql, { ...anna, email: "b@shop.example", name }, operator);
    await expect
      .soft(creating, JSON.stringify(name))
      .rejects.toEqual(refusal("INVALID_NAME", message));
  }
});

const hats = { name: "Hats", ownerEmail: "Anna@shop.example", plan: "standard" };

test("a shop is created for its owner with a normalized domain and a plan that can be changed", async () => {
  expect(shopFields({ ...hats, domain: "Häts.example" }).domain).toBe("xn--hts-qla.example");
  const shop = await createShop(sql, { ...hats, domain: "Hats.example" }, operator);
  const id = expect.stringMatching(/^shop_/);
  expect(shop).toEqual({ id, name: "Hats", domain: "hats.example", plan: "standard" });
  const owner = await findMerchantByEmail(sql, "anna@shop.example");
  expect(await shopsOfMerchant(sql, owner?.id ?? "")).toEqual([shop]);
  const changed = { ...shop, plan: "advanced_attribution" };
  expect(await setShopPlan(sql, shop.id, changed.plan, operator)).toEqual(changed);
  expect(await listShops(sql)).toEqual([{ ...changed, memberEmails: ["anna@shop.example"] }]);
});

test("a shop is not created with an invalid owner, plan, name or domain", async () => {
  const refusals: [object, string, RegExp][] = [
    [{ ownerEmail: "eve@shop.example" }, "UNKNOWN_MERCHANT", /"eve@shop.example"/],
    [{ plan: "gold" }, "INVALID_PLAN", /standard or advanced_attribution/],
    [{ name: "\t" }, "INVALID_NAME", /shop's name is empty/],
    ...[
      "",
      "hats",
      "https://hats.example",
      "hats.example/x",
      "-hats.example",
      "häts.example/x",
    ].map((domain): [object, string, RegExp] => [{ domain }, "INVALID_DOMAIN", /not a domain/]),
  ];
  for (const [wrong, code, message] of refusals) {
    const creating = createShop(sql, { ...hats, ...wrong }, operator);
    await expect.soft(creating, JSON.stringify(wrong)).rejects.toEqual(refusal(code, message));
  }
  expect(await listShops(sql)).toHaveLength(1);
});

test("setting a plan is refused if the plan or the shop is unknown", async () => {
  const set = (plan: string) => setShopPlan(sql, "shop_x", plan, operator);
  await expect(set("Standard")).rejects.toEqual(refusal("INVALID_PLAN", /"Standard"/));
  await expect(set("standard")).rejects.toEqual(refusal("UNKNOWN_SHOP", /"shop_x"/));
});

test("a new client gets an id and a secret, and only the secret's hash is stored", async () => {
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
  expect(
    JSON.stringify(await sql`SELECT * FROM directory.clients, directory.client_secrets`),
  ).not.toContain(secret);
});

test("a client is created with exactly the given redirect URIs and grant types", async () => {
  const redirectUris = ["https://B.example:443/cb?x=%2f", "http://localhost/cb"];
  const given = { redirectUris, grantTypes: ["authorization_code"] };
  const { client } = await createClient(sql, { ...app, ...given }, operator);
  expect(await findClient(sql, client.clientId)).toMatchObject(given);
});

// client-life.test.ts has the same rules for an update.
test("a client is not created without a name, redirect URI, scope or grant type", async () => {
  const before = (await listClients(sql)).length;
  const refusals: [object, string, RegExp][] = [
    [{ name: "" }, "INVALID_NAME", /client's name/],
    [{ redirectUris: [] }, "INVALID_REDIRECT_URI", /at least one/],
    [{ scope: [] }, "INVALID_SCOPE", /at least one/],
    [{ grantTypes: [] }, "INVALID_GRANT_TYPE", /at least one/],
  ];
  for (const [wrong, code, message] of refusals) {
    const creating = createClient(sql, { ...app, ...wrong }, operator);
    await expect.soft(creating, JSON.stringify(wrong)).rejects.toEqual(refusal(code, message));
  }
  expect(await listClients(sql)).toHaveLength(before);
});

const secretsOf = async (clientId: string) => (await findClient(sql, clientId))?.secrets ?? [];
const stored = (secret: string, expiresAt: Date | null = null) => {
  return { hash: hashCredential(secret), expiresAt, lastUsedAt: null };
};

test("after a rotation, a client's former secrets stay valid for the overlap or, without an overlap, end immediately", async () => {
  const { client, secret } = await createClient(sql, app, operator);
  const before = Date.now();
  const rotation = await rotateClientSecret(sql, client.clientId, 3600, operator);
  const passed = Date.now() - before;
  expect(rotation.client).toEqual(client);
  const both = [stored(rotation.secret), stored(secret, rotation.formerSecretExpiresAt)];
  expect(await secretsOf(client.clientId)).toEqual(expect.arrayContaining(both));
  const left = (rotation.formerSecretExpiresAt?.getTime() ?? 0) - before;
  // The clocks of Postgres and of this process may differ by a second.
  expect(left).toBeGreaterThan(3599_000);
  expect(left).toBeLessThan(3601_000 + passed);
  const now = await rotateClientSecret(sql, client.clientId, 0, operator);
  expect([now.formerSecretExpiresAt, await secretsOf(client.clientId)]).toEqual([
    null,
    [stored(now.secret)],
  ]);
});

test("while two secrets of a client overlap, further rotations are refused, even concurrent rotations", async () => {
  const { client } = await createClient(sql, app, operator);
  const rotate = () => rotateClientSecret(sql, client.clientId, 60, operator);
  const rotations = await Promise.allSettled(Array.from({ length: 8 }, rotate));
  const done = rotations.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
  const refused = rotations.flatMap((each) => (each.status === "rejected" ? [each.reason] : []));
  expect(done).toHaveLength(1);
  expect(refused).toEqual(Array(7).fill(refusal("ROTATION_UNDER_WAY", /until 20.*Z$/)));
  expect(await secretsOf(client.clientId)).toHaveLength(2);
  expect(await secretsOf(client.clientId)).toContainEqual(stored(done[0]?.secret ?? ""));
  await sql`
      UPDATE directory.client_secrets SET expires_at = now()
      WHERE client_id = ${client.clientId} AND expires_at IS NOT NULL`;
  await rotate();
  expect(await secretsOf(client.clientId)).toHaveLength(2);
});

test("a rotation of a client's secret is refused for an invalid or too long overlap, or an unknown client", async () => {
  const rotate = (seconds: number) => rotateClientSecret(sql, "client_x", seconds, operator);
  for (const seconds of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 30 * 24 * 3600 + 1]) {
    await expect.soft(rotate(seconds)).rejects.toEqual(refusal("INVALID_OVERLAP", /30 days/));
  }
  await expect(rotate(0)).rejects.toEqual(refusal("UNKNOWN_CLIENT", /"client_x"/));
});

test("each rotation and early end of a client's secret is recorded once and mailed to all members of the client", async () => {
  const { clientId } = (await createClient(sql, app, operator)).client;
  const [{ id: merchantId }, { id: colleague }] = [
    await onboardMerchant(sql),
    await onboardMerchant(sql),
  ];
  const actor = { name: `merchant:${merchantId}` };
  await sql`
      INSERT INTO directory.client_members (client_id, merchant_id)
      VALUES (${clientId}, ${merchantId}), (${clientId}, ${colleague})`;
  await expect(endFormerSecret(sql, clientId, actor)).rejects.toEqual(
    refusal("NO_ROTATION", /no rotation is in progress/),
  );
  await rotateClientSecret(sql, clientId, 3600, actor);
  const ends = await Promise.allSettled([1, 2].map(() => endFormerSecret(sql, clientId, operator)));
  expect(ends.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  const { secrets } = await clientDetails(sql, clientId);
  expect(secrets).toEqual([expect.objectContaining({ expiresAt: null })]);
  expect(
    await sql`SELECT event FROM directory.audit_log WHERE client_id = ${clientId} ORDER BY id`,
  ).toEqual([
    { event: "client_create" },
    { event: "client_rotate_secret" },
    { event: "client_end_secret" },
  ]);
  const mails = await sql`
      SELECT data ->> 'kind' AS kind, data ->> 'merchant_id' AS id, data -> 'about' ->> 'by' AS by
      FROM worker_jobs.job WHERE data -> 'about' ->> 'client_id' = ${clientId}`;
  const both = [merchantId, colleague];
  const sent = mails.map(({ kind, id, by }) => [kind, id, by]);
  expect(sent.sort()).toEqual([
    ...both.map((id) => ["client_secret_ended", id, null]).sort(),
    ...both.map((id) => ["client_secret_made", id, merchantId]).sort(),
  ]);
});
