import { disable, enable, revoke } from "@partner-connect/connections";
import fc from "fast-check";
import { expect, test } from "vitest";
import { forgetRefreshTokens } from "../testing/pass-time.ts";
import { type IssuedTestCode, suiteReplicas } from "../testing/replicas.ts";
import { exchangeCode, refreshTokens, type TokenAnswer } from "../testing/token-calls.ts";

const OPERATOR = { name: "operator:test" };
const NAMES = [
  "approve",
  "exchange",
  "refresh",
  "revoke",
  "disable",
  "enable",
  "expire",
  "lose Redis",
] as const;
const WEIGHTS = [15, 25, 30, 1, 1, 1, 1, 1];

/** One approval, as its partner knows it. */
interface Grant {
  readonly issued: IssuedTestCode;
  refreshToken: string | null;
  isInRedis: boolean;
}

const replicas = await suiteReplicas(2);

/** A connection, and the spec's table in a few lines, by which each event is judged. */
async function newLife() {
  const { sql, redis, apps } = replicas;
  const client = await replicas.registerClient();
  const shop = await replicas.registerShop();
  const grants: Grant[] = [];
  let status: "none" | "approved" | "connected" | "revoked" = "none";
  let [isHeld, isAged] = [false, false];

  const descriptionOf = ({ status, body }: TokenAnswer) =>
    status === 200 ? "ok" : body.error_description;
  const key = async () => {
    const [row] = await sql<
      { id: string }[]
    >`SELECT id FROM oauth.connections WHERE shop_id = ${shop.shopId}`;
    return row && { shopId: shop.shopId, id: row.id };
  };
  const loseRedis = async () => {
    await forgetRefreshTokens(redis, client.clientId);
    for (const grant of grants) grant.isInRedis = false;
  };
  function exchanged(grant: Grant): string {
    const isNewest = grant === grants.at(-1);
    if (status === "revoked") return "grant revoked";
    if (isNewest && grant.refreshToken) return "the code is unknown, expired or already used";
    if (isHeld) return "grant revoked";
    return isNewest ? "ok" : "superseded by a newer authorization";
  }
  function refreshed(grant: Grant): string {
    const isCurrent = grant === grants.at(-1);
    if (!isCurrent && !grant.isInRedis) return "the refresh token is unknown";
    if (status === "revoked" || isHeld) return "grant revoked";
    if (!isCurrent) return "superseded by a newer authorization";
    return isAged ? "refresh token expired" : "ok";
  }

  /** `back`: the newest grant, or one of the two before it. */
  return async (name: (typeof NAMES)[number], back: number, step: number): Promise<void> => {
    const app = apps[step % 2] ?? expect.fail("no replica");
    const grant = grants.at(-1 - back);
    const connection = await key();
    if (name === "approve") {
      const approved = replicas.approveAndIssueCode({ ...client, ...shop });
      if (isHeld) return await expect(approved).rejects.toThrow("holds");
      grants.push({ issued: await approved, refreshToken: null, isInRedis: false });
      if (status !== "connected") status = "approved";
      isAged = false;
    } else if (name === "exchange" && grant) {
      const expected = exchanged(grant);
      const answer = await exchangeCode(app, client, grant.issued);
      expect(descriptionOf(answer)).toBe(expected);
      if (expected !== "ok") return;
      status = "connected";
      Object.assign(grant, { refreshToken: answer.body.refresh_token, isInRedis: true });
    } else if (name === "refresh" && grant?.refreshToken) {
      const expected = refreshed(grant);
      expect(descriptionOf(await refreshTokens(app, client, grant.refreshToken))).toBe(expected);
      if (expected === "ok") grant.isInRedis = true;
    } else if (name === "revoke" && connection) {
      const isLive = status === "approved" || status === "connected";
      expect(await revoke(sql, connection, OPERATOR)).toBe(isLive);
      status = "revoked";
    } else if ((name === "disable" || name === "enable") && connection) {
      const hold = name === "disable";
      expect(await (hold ? disable : enable)(sql, connection, OPERATOR)).toBe(isHeld !== hold);
      isHeld = hold;
    } else if (name === "expire" && grants.at(-1)?.refreshToken) {
      await sql`UPDATE oauth.connections SET last_used_at = now() - interval '31 days' WHERE shop_id = ${shop.shopId}`;
      isAged = true;
    } else if (name === "lose Redis") await loseRedis();
  };
}

test("any sequence of a connection's events over two replicas has the outcomes that the spec's table defines", async () => {
  const name = fc.oneof(
    ...NAMES.map((each, n) => ({ weight: WEIGHTS[n] ?? 1, arbitrary: fc.constant(each) })),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(name, fc.nat(2)), { minLength: 5, maxLength: 30 }),
      async (events) => {
        const happen = await newLife();
        for (const [step, [event, back]] of events.entries()) await happen(event, back, step);
      },
    ),
    { numRuns: 60 },
  );
}, 120_000);
