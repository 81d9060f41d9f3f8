import { connectDatabase, type Sql } from "@partner-connect/database";
import { freshDatabase, type TestDatabase } from "@partner-connect/database/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  type AskedUpdate,
  approveRequest,
  askForChanges,
  clientDetails,
  declineRequest,
  deleteClient,
  endFormerSecret,
  oldestRequestSeconds,
  openRequests,
  requestedLogo,
  requestsOfClient,
  rotateClientSecret,
  updateClient,
  withdrawRequest,
} from "../index.ts";
import { onboardClient, onboardMerchant, TEST_OPERATOR as operator, REDIRECT_URI } from "../testing.ts";

let database: TestDatabase;
let sql: Sql;
let clientId: string;
let merchantId: string;

beforeAll(async () => {
  database = await freshDatabase(process.env["TEST_DATABASE_URL"]);
  sql = connectDatabase(database.url, { name: "requests-test", connections: 4 });
});
afterAll(async () => {
  await sql?.end();
  await database?.drop();
});
beforeEach(async () => {
  ({ clientId } = await onboardClient(sql, { name: `App ${crypto.randomUUID()}`, scope: ["responses:read"] }));
  merchantId = (await onboardMerchant(sql)).id;
});

const png = (size: number) => Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), Buffer.alloc(size - 8)]);
const NEW = "https://new.example/cb";
const actor = () => ({ name: `merchant:${merchantId}` });
const ask = (asked: AskedUpdate) => askForChanges(sql, { clientId, merchantId }, asked, actor());
const current = async () => (await clientDetails(sql, clientId)).client;
const refusal = (code: string, message = /./) =>
  expect.objectContaining({ name: "DirectoryError", code, message: expect.stringMatching(message) });
const mails = async () =>
  await sql`
    SELECT kind, merchant_id AS "merchantId", about FROM oauth.mails WHERE about ->> 'client_id' = ${clientId} ORDER BY id`;
const events = async () =>
  (await sql<{ event: string }[]>`SELECT event FROM directory.audit_log WHERE client_id = ${clientId} ORDER BY id`)
    .map(({ event }) => event)
    .filter((event) => event !== "client_create");

describe("a request to change a client", () => {
  test("changes nothing until it is approved, and then all of it, on record and with a mail to who asked", async () => {
    const before = await current();
    const asked = { name: " Better ", addRedirectUris: [NEW], removeRedirectUris: [REDIRECT_URI], logo: png(100) };
    const id = await ask({ ...asked, scope: ["responses:read", "sources:write"] });
    expect(await current()).toEqual(before);
    expect(await openRequests(sql, clientId)).toEqual([
      expect.objectContaining({
        id,
        clientName: before.name,
        askedBy: { id: merchantId, name: "Ada", email: expect.any(String) },
        status: "open",
        changes: {
          name: { from: before.name, to: "Better" },
          redirect_uris: { added: [NEW], removed: [REDIRECT_URI] },
          scope: { added: ["sources:write"], removed: [] },
          logo: { from: null },
        },
      }),
    ]);
    expect(await requestedLogo(sql, id)).toEqual(png(100));
    expect(await oldestRequestSeconds(sql)).toBeGreaterThan(0);

    const logo = Buffer.from("webp");
    const after = await approveRequest(sql, id, { logo }, operator);
    expect(after).toEqual(await current());
    expect(after).toMatchObject({
      name: "Better",
      redirectUris: ["http://localhost/callback", NEW],
      scope: ["responses:read", "sources:write"],
      logoPath: expect.stringContaining(clientId),
    });
    expect(await requestsOfClient(sql, clientId)).toEqual([expect.objectContaining({ id, status: "approved" })]);
    expect([await openRequests(sql, clientId), await requestedLogo(sql, id)]).toEqual([[], null]);
    expect(await oldestRequestSeconds(sql)).toBe(0);
    expect(await events()).toEqual(["client_request", "client_approve_request", "client_update"]);
    expect(await mails()).toEqual([{ kind: "client_request_approved", merchantId, about: { client_id: clientId } }]);
  });

  test("is declined with a reason, which the asker is told", async () => {
    const id = await ask({ name: "Better" });
    for (const reason of ["", " \u200b", "x".repeat(501)]) {
      await expect(declineRequest(sql, id, reason, operator)).rejects.toEqual(refusal("INVALID_REASON"));
    }
    await declineRequest(sql, id, "The name is another's. ", operator);
    const reason = "The name is another's.";
    expect(await requestsOfClient(sql, clientId)).toEqual([
      expect.objectContaining({ id, status: "declined", reason }),
    ]);
    expect(await events()).toEqual(["client_request", "client_decline_request"]);
    const about = { client_id: clientId, reason };
    expect(await mails()).toEqual([{ kind: "client_request_declined", merchantId, about }]);
  });

  test.each<[string, AskedUpdate, string, RegExp]>([
    ["nothing", {}, "NOTHING_ASKED", /like this already/],
    ["what is so", { scope: ["responses:read"], addRedirectUris: [REDIRECT_URI] }, "NOTHING_ASKED", /already/],
    ["a URI with a wildcard", { addRedirectUris: ["https://*.example/"] }, "INVALID_REDIRECT_URI", /wildcard/],
    ["too many URIs", { addRedirectUris: Array(21).fill(NEW) }, "INVALID_REDIRECT_URI", /at most 20/],
    ["to remove an unknown URI", { removeRedirectUris: [NEW] }, "INVALID_REDIRECT_URI", /is not registered/],
    [
      "to remove all URIs",
      { removeRedirectUris: [REDIRECT_URI, "http://localhost/callback"] },
      "INVALID_REDIRECT_URI",
      /at least one/,
    ],
    ["no scope", { scope: [] }, "INVALID_SCOPE", /at least one/],
    ["an unknown scope", { scope: ["everything"] }, "INVALID_SCOPE", /is not a scope/],
    ["an empty name", { name: " " }, "INVALID_NAME", /name/],
    ["a GIF", { logo: Buffer.from("GIF89a") }, "INVALID_LOGO", /not a PNG or WebP/],
    ["a large logo", { logo: png(64 * 1024 + 1) }, "INVALID_LOGO", /larger than 64 KB/],
  ])("is refused when it asks for %s", async (_, asked, code, message) => {
    await expect(ask(asked)).rejects.toEqual(refusal(code, message));
    expect(await openRequests(sql, clientId)).toEqual([]);
  });

  test("is one of at most five of a client that wait, also of many at once; one that is withdrawn makes room", async () => {
    const asked = await Promise.allSettled(Array.from({ length: 8 }, (_, n) => ask({ name: `Name ${n}` })));
    const made = asked.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
    expect(made).toHaveLength(5);
    await expect(ask({ name: "More" })).rejects.toEqual(refusal("TOO_MANY_REQUESTS", /at most 5/));
    const [id = ""] = made;
    const { clientId: other } = await onboardClient(sql);
    await expect(withdrawRequest(sql, other, id, actor())).rejects.toEqual(refusal("UNKNOWN_REQUEST"));
    await withdrawRequest(sql, clientId, id, actor());
    await expect(withdrawRequest(sql, clientId, id, actor())).rejects.toEqual(refusal("UNKNOWN_REQUEST"));
    await ask({ name: "More" });
  });

  test("is decided once: of approvals and declines at the same time the first one counts", async () => {
    const id = await ask({ addRedirectUris: [NEW] });
    const decisions = await Promise.allSettled([
      ...Array.from({ length: 3 }, () => approveRequest(sql, id, {}, operator)),
      declineRequest(sql, id, "No.", operator),
    ]);
    expect(decisions.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const decision of decisions) {
      if (decision.status === "rejected") expect(decision.reason).toEqual(refusal("REQUEST_DECIDED", /already$/));
    }
    expect(await mails()).toHaveLength(1);
    await expect(withdrawRequest(sql, clientId, id, actor())).rejects.toEqual(refusal("UNKNOWN_REQUEST"));
    await expect(approveRequest(sql, "req_none", {}, operator)).rejects.toEqual(refusal("UNKNOWN_REQUEST"));
  });

  test.each<[string, AskedUpdate, Parameters<typeof updateClient>[2]]>([
    ["the name is another one", { name: "Better" }, { name: "Best" }],
    ["the URI is there already", { addRedirectUris: [NEW] }, { addRedirectUris: [NEW] }],
    ["the URI is gone already", { removeRedirectUris: [REDIRECT_URI] }, { removeRedirectUris: [REDIRECT_URI] }],
    [
      "the scope is there already",
      { scope: ["responses:read", "sources:write"] },
      { scope: ["responses:read", "sources:write"] },
    ],
    ["there is another logo", { logo: png(100) }, { logo: Buffer.from("webp") }],
  ])("is not approved once the client has changed so that %s", async (_, asked, meanwhile) => {
    const id = await ask(asked);
    await updateClient(sql, clientId, meanwhile, operator);
    const before = await current();
    await expect(approveRequest(sql, id, {}, operator)).rejects.toEqual(refusal("REQUEST_OUTDATED", /no longer/));
    expect(await current()).toEqual(before);
    expect(await openRequests(sql, clientId)).toHaveLength(1);
  });

  test("is the same difference after a change of something else, and is carried out beside it", async () => {
    const ids = [await ask({ addRedirectUris: [NEW] }), await ask({ addRedirectUris: ["https://b.example/"] })];
    await updateClient(sql, clientId, { removeRedirectUris: [REDIRECT_URI], name: "Other" }, operator);
    await Promise.all(ids.map((id) => approveRequest(sql, id, {}, operator)));
    expect((await current()).redirectUris.toSorted()).toEqual(["http://localhost/callback", "https://b.example/", NEW]);
  });

  test("does not take an active client's name, unless the operator lets it", async () => {
    const name = `Taken ${crypto.randomUUID()}`;
    await onboardClient(sql, { name });
    const id = await ask({ name: name.toUpperCase() });
    await expect(approveRequest(sql, id, {}, operator)).rejects.toEqual(refusal("CLIENT_NAME_TAKEN"));
    await approveRequest(sql, id, { allowDuplicateName: true }, operator);
  });

  test("goes with its client", async () => {
    await ask({ name: "Better" });
    await deleteClient(sql, clientId, {}, operator);
    expect(await sql`SELECT FROM directory.client_requests WHERE client_id = ${clientId}`).toEqual([]);
  });
});

describe("secrets of a client", () => {
  test("the former one can be ended before its time, once; each change is told to the client's owners alone", async () => {
    const member = (await onboardMerchant(sql)).id;
    await sql`
      INSERT INTO directory.client_members (client_id, merchant_id, role)
      VALUES (${clientId}, ${merchantId}, 'owner'), (${clientId}, ${member}, 'member')`;
    await expect(endFormerSecret(sql, clientId, actor())).rejects.toEqual(refusal("NO_ROTATION"));
    await rotateClientSecret(sql, clientId, 3600, actor());
    const ends = await Promise.allSettled([1, 2].map(() => endFormerSecret(sql, clientId, operator)));
    expect(ends.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const { secrets } = await clientDetails(sql, clientId);
    expect(secrets).toEqual([expect.objectContaining({ expiresAt: null })]);
    expect(await events()).toEqual(["client_rotate_secret", "client_end_secret"]);
    expect(await mails()).toEqual([
      { kind: "client_secret_made", merchantId, about: { client_id: clientId, by: merchantId } },
      { kind: "client_secret_ended", merchantId, about: { client_id: clientId, by: null } },
    ]);
  });
});
