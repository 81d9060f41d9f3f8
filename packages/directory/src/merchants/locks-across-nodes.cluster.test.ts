import { connectDatabase, type Sql } from "@partner-connect/database";
import { freshDatabase, type TestDatabase } from "@partner-connect/database/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  addMember,
  createClient,
  createResetLink,
  hashPassword,
  membersOfShop,
  removeMember,
  resetPassword,
} from "../index.ts";
import { onboardMerchant, onboardShop, REDIRECT_URI, TEST_OPERATOR } from "../testing.ts";

/** The directory is whole on every node, so a change through one node must hold up changes through all others. */
describe.skipIf(!process.env["CITUS_URL"])("changes through different nodes of a cluster", () => {
  let database: TestDatabase;
  /** The coordinator and the workers. */
  let nodes: Sql[];
  const through = (n: number): Sql => nodes[n % nodes.length] as Sql;

  beforeAll(async () => {
    database = await freshDatabase(process.env["TEST_DATABASE_URL"]);
    nodes = [database.url, ...database.workers].map((url) =>
      connectDatabase(url, { name: "nodes-test", connections: 4 }),
    );
  });
  afterAll(async () => {
    await Promise.all(nodes.map((sql) => sql.end()));
    await database?.drop();
  });

  test("give one active client a name", async () => {
    for (let round = 0; round < 3; round++) {
      const client = { name: `Lookout ${round}`, redirectUris: [REDIRECT_URI], scope: ["responses:read"] };
      const created = await Promise.allSettled(
        Array.from({ length: 9 }, (_, n) => createClient(through(n), client, TEST_OPERATOR)),
      );
      const refused = created.filter((outcome) => outcome.status === "rejected");
      expect(refused.map(({ reason }) => reason.code)).toEqual(Array(8).fill("CLIENT_NAME_TAKEN"));
    }
  });

  test("leave a shop one of two members who are removed at once", async () => {
    for (let round = 0; round < 6; round++) {
      const [anna, ben] = [await onboardMerchant(through(0)), await onboardMerchant(through(0))];
      const shopId = await onboardShop(through(0), { merchants: [anna.id] });
      await addMember(through(0), { shopId, email: ben.email }, TEST_OPERATOR);
      const removed = await Promise.allSettled([
        removeMember(through(round), { shopId, merchantId: ben.id }, TEST_OPERATOR),
        removeMember(through(round + 1), { shopId, merchantId: anna.id }, TEST_OPERATOR),
      ]);
      expect(removed.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
      expect(await membersOfShop(through(round + 2), shopId)).toHaveLength(1);
    }
  });

  test("set one password by a link that works once", async () => {
    const merchant = await onboardMerchant(through(0), await hashPassword("a long enough password"));
    const { token } = await createResetLink(through(1), merchant.email, TEST_OPERATOR);
    const outcomes = await Promise.all(
      Array.from({ length: 6 }, (_, n) => resetPassword(through(n), token, `a long enough password ${n}`, {})),
    );
    expect(outcomes.filter(({ outcome }) => outcome === "changed")).toHaveLength(1);
  });
});
