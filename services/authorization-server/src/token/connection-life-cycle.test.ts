import { disable, enable, revoke } from "@partner-connect/connections";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { forgetRefreshTokens } from "../testing/pass-time.ts";
import { type IssuedTestCode, type RegisteredClient, suiteReplicas } from "../testing/replicas.ts";
import { exchangeCode, refreshTokens } from "../testing/token-calls.ts";

const OPERATOR = { name: "operator:test" };

/** One approval, as its partner knows it. */
interface Grant {
  readonly issued: IssuedTestCode;
  refreshToken: string | null;
  /** Whether Redis has the refresh token. */
  known: boolean;
}

/** The spec's table in a few lines: what the system is held against. */
class Model {
  status: "none" | "approved" | "connected" | "revoked" = "none";
  held = false;
  aged = false;
  grants: Grant[] = [];

  get current(): Grant | undefined {
    return this.grants.at(-1);
  }

  approve(): "approved" | "held" {
    if (this.held) return "held";
    if (this.status !== "connected") this.status = "approved";
    this.aged = false;
    return "approved";
  }

  exchange(grant: Grant): string {
    if (this.held || this.status === "revoked") return "grant revoked";
    if (grant !== this.current) return "superseded by a newer authorization";
    if (grant.refreshToken !== null) return "the code is unknown, expired or already used";
    this.status = "connected";
    return "ok";
  }

  refresh(grant: Grant): string {
    const isCurrent = grant === this.current;
    if (!isCurrent && !grant.known) return "the refresh token is unknown";
    if (this.status === "revoked") return "grant revoked";
    if (this.held) {
      // A refusal gives no new life: what Redis knew is forgotten, and Postgres remembers the last use.
      if (isCurrent) grant.known = false;
      return "grant revoked";
    }
    if (!isCurrent) return "superseded by a newer authorization";
    if (this.aged) return "refresh token expired";
    grant.known = true;
    return "ok";
  }

  revoke(): boolean {
    if (this.status !== "approved" && this.status !== "connected") return false;
    this.status = "revoked";
    return true;
  }
}

const command = fc.oneof(
  { weight: 3, arbitrary: fc.constant({ name: "approve" as const, grant: 0 }) },
  { weight: 5, arbitrary: fc.record({ name: fc.constant("exchange" as const), grant: fc.nat(2) }) },
  { weight: 6, arbitrary: fc.record({ name: fc.constant("refresh" as const), grant: fc.nat(2) }) },
  fc.record({
    name: fc.constantFrom(
      "revoke" as const,
      "disable" as const,
      "enable" as const,
      "expire" as const,
      "lose Redis" as const,
    ),
    grant: fc.constant(0),
  }),
);

const replicas = await suiteReplicas(2);

describe("a connection's life", () => {
  test("whatever happens to it in whatever order, over two replicas, is what the spec's table says", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 5, maxLength: 30 }), async (commands) => {
        const client = await replicas.registerClient();
        const shop = await replicas.registerShop();
        const model = new Model();
        for (const [step, { name, grant }] of commands.entries()) {
          await run(name, model, client, shop, step, grant);
        }
      }),
      { numRuns: 60 },
    );
  }, 120_000);
});

async function run(
  name: string,
  model: Model,
  client: RegisteredClient,
  shop: { shopId: string; merchantId: string },
  step: number,
  back: number,
): Promise<void> {
  const { sql, redis, apps } = replicas;
  const app = apps[step % 2] ?? expect.fail("no replica");
  // The newest grant, or one of the two before it.
  const grant = model.grants.at(-1 - back);
  const [row] = await sql`SELECT id FROM oauth.connections WHERE shop_id = ${shop.shopId}`;
  const key = { shopId: shop.shopId, id: row?.["id"] as string };
  switch (name) {
    case "approve": {
      const approved = replicas.approveAndIssueCode({ ...client, ...shop });
      if (model.approve() === "held") await expect(approved).rejects.toThrow("holds");
      else model.grants.push({ issued: await approved, refreshToken: null, known: false });
      return;
    }
    case "exchange": {
      if (!grant) return;
      const expected = model.exchange(grant);
      const { status, body } = await exchangeCode(app, client, grant.issued);
      expect(status === 200 ? "ok" : body.error_description).toBe(expected);
      if (status === 200) Object.assign(grant, { refreshToken: body.refresh_token, known: true });
      return;
    }
    case "refresh": {
      if (!grant?.refreshToken) return;
      const expected = model.refresh(grant);
      const { status, body } = await refreshTokens(app, client, grant.refreshToken);
      expect(status === 200 ? "ok" : body.error_description).toBe(expected);
      return;
    }
    case "revoke":
      if (row) expect(await revoke(sql, key, OPERATOR)).toBe(model.revoke());
      return;
    case "disable":
    case "enable": {
      if (!row) return;
      const hold = name === "disable";
      expect(await (hold ? disable : enable)(sql, key, OPERATOR)).toBe(model.held !== hold);
      model.held = hold;
      return;
    }
    case "expire": {
      if (!model.current?.refreshToken) return;
      // Thirty-one days pass: the key expires in Redis, Postgres has the time of the last use.
      await sql`UPDATE oauth.connections SET last_used_at = now() - interval '31 days' WHERE shop_id = ${shop.shopId}`;
      await loseRedis(client);
      for (const each of model.grants) each.known = false;
      model.aged = true;
      return;
    }
    case "lose Redis": {
      await loseRedis(client);
      for (const each of model.grants) each.known = false;
    }
  }

  async function loseRedis({ clientId }: RegisteredClient): Promise<void> {
    await forgetRefreshTokens(redis, clientId);
  }
}
