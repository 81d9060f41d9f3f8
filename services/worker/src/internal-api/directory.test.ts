import { onboardClient } from "@partner-connect/directory/testing";
import { expect, test } from "vitest";
import { suiteInternalApi } from "./testing.ts";

const { owner, call } = await suiteInternalApi();

const put = (path: string, body?: object) => call("PUT", `/internal/${path}`, body);
const ANNA = { email: "anna@shop.example", name: "Anna" };
const HATS = { name: "Hats", domain: "hats.example", plan: "standard" };

/** Audit records of a merchant or shop, oldest first, with what changed. */
const records = async (column: "merchant_id" | "shop_id", id: string) =>
  (
    await owner.unsafe(
      `SELECT id, event, actor, details FROM directory.audit_log WHERE $2 = 'merchant_id' AND merchant_id = $1
       UNION ALL SELECT id, event, actor, details FROM oauth.audit_log WHERE ${column} = $1 ORDER BY id`,
      [id, column],
    )
  ).map(({ event, actor, details }) => [event, actor, details]);

const noMails = async () => expect(await owner`SELECT FROM worker_jobs.job`).toHaveLength(0);

test("a PUT creates or updates a merchant, and records only actual changes", async () => {
  const created = await put("merchants/7", { ...ANNA, email: " ANNA@shop.example" });
  expect([created.status, created.body]).toEqual([201, { id: "7", ...ANNA, status: "active" }]);
  const again = await put("merchants/7", ANNA);
  expect([again.status, again.body]).toEqual([200, created.body]);
  const ann = { email: "ann@shop.example", name: "Ann", status: "disabled" };
  expect((await put("merchants/7", ann)).body).toEqual({ id: "7", ...ann });
  expect((await put("merchants/7", { ...ann, status: undefined })).body, "status stays").toEqual({
    id: "7",
    ...ann,
  });
  const [row] =
    await owner`SELECT password_hash, session_epoch, from_product FROM directory.merchants WHERE id = '7'`;
  expect(row).toEqual({ password_hash: null, session_epoch: 2, from_product: true });
  const change = (from: string, to: string) => ({ from, to });
  const detail = { email: change(ANNA.email, ann.email), name: change(ANNA.name, ann.name) };
  expect(await records("merchant_id", "7")).toEqual([
    ["merchant_create", "product:survey", {}],
    ["merchant_update", "product:survey", detail],
    ["merchant_disable", "product:survey", {}],
  ]);
  await noMails();
});

test("a PUT creates or updates a shop, and records only actual changes", async () => {
  const created = await put("shops/42", HATS);
  expect([created.status, created.body]).toEqual([201, { id: "42", ...HATS }]);
  expect([await put("shops/42", HATS)].map(({ status, body }) => [status, body])).toEqual([
    [200, created.body],
  ]);
  const caps = { name: "Caps", domain: null, plan: "advanced_attribution" };
  expect((await put("shops/42", caps)).body).toEqual({ id: "42", ...caps });
  const change = (from: string, to: string | null) => ({ from, to });
  expect(await records("shop_id", "42")).toEqual([
    ["shop_create", "product:survey", { name: "Hats", plan: "standard" }],
    [
      "shop_rename",
      "product:survey",
      { name: change("Hats", "Caps"), domain: change("hats.example", null) },
    ],
    ["shop_set_plan", "product:survey", change("standard", "advanced_attribution")],
  ]);
});

test("a DELETE of an unknown member, merchant, shop or connection succeeds", async () => {
  await put("merchants/7", ANNA);
  await put("shops/42", HATS);
  for (const path of "merchants/none shops/none shops/none/members/7 shops/42/members/none".split(
    " ",
  ))
    expect([path, (await call("DELETE", `/internal/${path}`)).status]).toEqual([path, 204]);
  for (const path of ["shops/none/connections/con_1", "shops/42/connections/con_1"])
    expect([path, (await call("DELETE", `/internal/${path}`)).status]).toEqual([path, 204]);
});

test("adding a member or removing the last member is recorded, and sends no mail", async () => {
  await put("merchants/m1", { ...ANNA, email: "m1@shop.example" });
  await put("shops/s1", HATS);
  const members = async () =>
    (await owner`SELECT merchant_id AS id FROM directory.memberships WHERE shop_id = 's1'`).map(
      ({ id }) => id,
    );
  const member = "/internal/shops/s1/members/m1";
  // some HTTP clients send a content type even without a body
  const headers = { "content-type": "application/json" };
  for (const options of [{}, { headers }])
    expect((await call("PUT", member, undefined, options)).status).toBe(204);
  expect(await members()).toEqual(["m1"]);
  for (const method of ["DELETE", "DELETE"]) expect((await call(method, member)).status).toBe(204);
  expect(await members()).toEqual([]);
  const about = (await records("shop_id", "s1")).map(([event, , details]) => [event, details]);
  expect(about.slice(1)).toEqual([
    ["member_add", { email: "m1@shop.example" }],
    ["member_remove", { email: "m1@shop.example" }],
  ]);
  await noMails();
});

const REFUSED: [path: string, body: unknown, status: number, field: string | undefined][] = [
  ["merchants/e", { ...ANNA, email: "nobody" }, 400, "email"],
  ["merchants/e", { ...ANNA, email: "änna@shop.example" }, 400, "email"],
  ["merchants/e", { ...ANNA, name: "\u202e" }, 400, "name"],
  ["merchants/e", { ...ANNA, status: "erased" }, 400, "status"],
  ["merchants/e", { email: ANNA.email }, 400, "name"],
  ["merchants/e", [ANNA], 400, undefined],
  ["merchants/e", "null", 400, undefined],
  ["shops/e", { ...HATS, plan: "gold" }, 400, "plan"],
  ["shops/e", { ...HATS, domain: "hats" }, 400, "domain"],
  ["shops/e", { ...HATS, name: "a".repeat(101) }, 400, "name"],
  ["shops/e", { ...HATS, name: 1 }, 400, "name"],
  ["shops/e", { name: "Hats", plan: "standard" }, 400, "domain"],
  ["shops/a%20b", HATS, 400, "id"],
  ["shops/none/members/7", undefined, 404, undefined],
  ["shops/42/members/none", undefined, 404, undefined],
  ["merchants/operators", ANNA, 409, undefined],
  ["shops/42/members/operators", undefined, 409, undefined],
  ["shops/test", HATS, 409, undefined],
  ["shops/test/members/7", undefined, 409, undefined],
  ["shops/42/members/a+b", undefined, 400, "id"],
  ["merchants/e", { ...ANNA, email: "Taken@shop.example" }, 409, "email"],
];
test("an invalid or conflicting request is refused and changes nothing", async () => {
  await put("merchants/7", ANNA);
  await put("shops/42", HATS);
  await put("merchants/t", { ...ANNA, email: "taken@shop.example" });
  const { clientId } = await onboardClient(owner);
  await owner`INSERT INTO directory.merchants (id, email, name) VALUES ('operators', 'op@shop.example', 'Op')`;
  await owner`INSERT INTO directory.shops (id, name, plan, test_of) VALUES ('test', 'T', 'standard', ${clientId})`;
  const headers = { "content-type": "application/json" };
  for (const [path, body, status, field] of REFUSED) {
    const answer = await call(
      "PUT",
      `/internal/${path}`,
      body,
      body === undefined ? {} : { headers },
    );
    const error = { 400: "invalid_request", 404: "not_found", 409: "conflict" }[status];
    expect
      .soft([answer.status, answer.body.error, answer.body.field], `${path} ${body}`)
      .toEqual([status, error, field]);
  }
  for (const path of "merchants/operators shops/test shops/test/members/7 shops/test/connections/con_1".split(
    " ",
  ))
    expect.soft([path, (await call("DELETE", `/internal/${path}`)).status]).toEqual([path, 409]);
  const { paths } = (await call("GET", "/internal/openapi.json")).body;
  for (const path of ["responses", "questions", "deletions"]) {
    const documented = Object.keys(paths[`/internal/shops/{id}/${path}`].post.responses);
    const { status } = await call("POST", `/internal/shops/test/${path}`, []);
    expect.soft([path, status, documented]).toEqual([path, 409, expect.arrayContaining(["409"])]);
  }
  expect(await owner`SELECT FROM back_office_jobs.job`).toHaveLength(0);
  expect(
    await owner`SELECT FROM directory.merchants WHERE id = 'e' UNION ALL SELECT FROM directory.shops WHERE id = 'e'`,
  ).toHaveLength(0);
});

test("a PUT with another merchant's email gets 409, even if the two merchants are created concurrently", async () => {
  await put("merchants/c1", { ...ANNA, email: "c1@shop.example" });
  await put("merchants/c2", { ...ANNA, email: "c2@shop.example" });
  expect((await put("merchants/c2", { ...ANNA, email: "c1@shop.example" })).status).toBe(409);
  const one = { ...ANNA, email: "one@shop.example" };
  const answers = await Promise.all(["d1", "d2", "d3"].map((id) => put(`merchants/${id}`, one)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
});

test("ten equal concurrent PUTs create one merchant, shop or membership, and return equal bodies", async () => {
  const ten = async (path: string, body?: object) =>
    await Promise.all(Array.from({ length: 10 }, () => put(path, body)));
  for (const [path, body] of [
    ["merchants/ten", { ...ANNA, email: "ten@shop.example" }],
    ["shops/ten", HATS],
  ] as const) {
    const answers = await ten(path, body);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([...Array(9).fill(200), 201]);
    for (const answer of answers) expect(answer.body).toEqual(answers[0]?.body);
  }
  expect((await ten("shops/ten/members/ten")).map(({ status }) => status)).toEqual(
    Array(10).fill(204),
  );
  expect((await records("shop_id", "ten")).map(([event]) => event)).toEqual([
    "shop_create",
    "member_add",
  ]);
  // merchant_create, and member_add of the shop
  expect(await records("merchant_id", "ten")).toHaveLength(2);
});

test("a PUT with the email of a merchant who is being erased gets 409 with Retry-After", async () => {
  const email = "leaving@shop.example";
  await put("merchants/leaving", { ...ANNA, email });
  await put("merchants/known", { ...ANNA, email: "known@shop.example" });
  expect((await call("DELETE", "/internal/merchants/leaving")).status).toBe(204);
  for (const id of ["new", "known"]) {
    const { status, headers } = await put(`merchants/${id}`, { ...ANNA, email });
    expect.soft([id, status, Number(headers["retry-after"]) > 0]).toEqual([id, 409, true]);
  }
});
