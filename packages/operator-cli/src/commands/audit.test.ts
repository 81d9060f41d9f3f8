import { type Actor, recordAudit } from "@partner-connect/audit";
import { beforeAll, describe, expect, test } from "vitest";
import { operatorOnOwnDatabase } from "../testing/own-database.ts";
import { misused, refused } from "../testing.ts";

const { sql, cli } = await operatorOnOwnDatabase({ PARTNER_CONNECT_OPERATOR: "otto" });
let merchantId: string;
let shopId: string;
let clientId: string;

beforeAll(async () => {
  await cli("migrate");
  const person = ["--email", "ada@shop.example", "--password", "correct horse", "--name", "Ada"];
  merchantId = (await cli.json("merchant", "create", ...person)).id;
  shopId = (await cli.json("shop", "create", "--name", "Hats", "--owner", "ada@shop.example")).id;
  const app = ["--name", "Acme", "--redirect-uri", "https://a.example/", "--scope", "responses:read"];
  clientId = (await cli.json("client", "create", ...app)).client_id;
  await cli.with({ PARTNER_CONNECT_OPERATOR: "uma" })("shop", "set-plan", shopId, "advanced_attribution");
  const merchant: Actor = { name: `merchant:${merchantId}`, ip: "192.0.2.1", requestId: "req-1" };
  await recordAudit(
    sql,
    { action: "approve", shopId, clientId, connectionId: "con_1", detail: { grant_id: "g" } },
    merchant,
  );
});

describe("audit list", () => {
  test("shows who did what, from where and in which request, the newest first", async () => {
    const all = await cli.json("audit", "list");
    expect(all[0]).toEqual({
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      actor: `merchant:${merchantId}`,
      action: "approve",
      client_id: clientId,
      shop_id: shopId,
      connection_id: "con_1",
      request_id: "req-1",
      ip: "192.0.2.1",
      detail: { grant_id: "g" },
    });
    expect(all.map(({ actor, action }: Record<string, string>) => `${actor} ${action}`).slice(1)).toEqual([
      "operator:uma shop_set_plan",
      "operator:otto client_create",
      "operator:otto shop_create",
      "operator:otto merchant_create",
    ]);
    expect(all.at(-1)).toMatchObject({ shop_id: null, ip: null, detail: { merchant_id: merchantId } });
  });

  test("as a table it has names beside ids, and says when there is more", async () => {
    const whole = await cli("audit", "list", "--shop", shopId);
    expect(whole.stdout).toMatch(
      new RegExp(
        `approve +ada@shop.example \\(merchant:${merchantId}\\) +Acme \\(${clientId}\\) +Hats \\(${shopId}\\) +grant_id: g`,
      ),
    );
    expect(whole.stdout).toContain("from: standard, to: advanced_attribution");
    expect(whole.stderr).toBe("");
  });

  test.each<[string, string, RegExp]>([
    ["--shop", "shop_x", /no shop "shop_x"/],
    ["--client", "client_x", /no client "client_x"/],
    ["--merchant", "eve@shop.example", /no merchant "eve@shop.example"/],
    ["--merchant", "mer_x", /no merchant "mer_x"/],
    ["--actor", "operator:eve", /nothing of an actor "operator:eve"/],
  ])("%s %s is refused, as nothing has that id", async (option, id, message) => {
    expect(await cli("audit", "list", option, id)).toEqual(refused(message));
  });

  test.each<[string, string, RegExp]>([
    ["--actor", "uma", /none of operator:<name>/],
    ["--since", "nine", /not a time such as/],
    ["--since", "2999-01-01", /in the future/],
  ])("%s %s is a wrong command line", async (option, value, message) => {
    expect(await cli("audit", "list", option, value)).toEqual(misused(message));
  });
});
