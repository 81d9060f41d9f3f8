import { suiteDatabase } from "@partner-connect/database/testing/suite";
import { beforeEach, expect, test } from "vitest";
import { expire } from "./expire.ts";
import { disable } from "./revoke.ts";

const TTL = 30 * 24 * 3600;
const ACTOR = { name: "merchant:mer_1" };

const { sql: owner, authorizationServer: server } = await suiteDatabase();
await owner`INSERT INTO directory.merchants (id, email, name, password_hash) VALUES ('mer_1', 'm@shop.example', 'M', '-')`;
await owner`
  INSERT INTO directory.clients (client_id, name, redirect_uris, scope, grant_types)
  SELECT unnest('{lookout,harbor}'::text[]), 'L', '{}', '{responses:read}', '{}'`;
await owner`
  INSERT INTO directory.shops (id, name, plan, test_of) VALUES ('tried', 'S', 'standard', 'lookout'), ('real', 'S', 'standard', NULL)`;
await owner`INSERT INTO directory.test_shops (client_id, slot, shop_id) VALUES ('lookout', 1, 'tried')`;
beforeEach(async () => {
  await owner`DELETE FROM oauth.connections`;
  await owner`
    INSERT INTO oauth.connections (shop_id, client_id, id, status, scope, grant_id, merchant_id, refresh_token_hash, connected_at, exchanged_at, last_used_at)
    SELECT shop, client, shop || ' ' || client, 'connected', '{responses:read}', 'g', 'mer_1', 'hash', now(), now(), now()
    FROM unnest('{tried,real}'::text[]) AS shop, unnest('{lookout,harbor}'::text[]) AS client`;
});
const key = (shopId: string, clientId = "lookout") => ({ shopId, id: `${shopId} ${clientId}` });
const lastUses = async () =>
  (
    await owner`SELECT id FROM oauth.connections WHERE last_used_at < now() - make_interval(secs => ${TTL}) ORDER BY id`
  ).map(({ id }) => id);

test("a connection of a test shop can be expired once, with an audit record", async () => {
  expect(await expire(server, key("tried"), TTL, ACTOR)).toBe(true);
  expect(await lastUses()).toEqual(["tried lookout"]);
  expect(await expire(server, key("tried"), TTL, ACTOR)).toBe(false);
  expect(
    await owner`SELECT event, actor, connection_id FROM oauth.audit_log WHERE event = 'expire'`,
  ).toEqual([{ event: "expire", actor: ACTOR.name, connection_id: "tried lookout" }]);
});

test("a connection can't be expired if it is disabled, revoked, another client's or of a merchant's shop", async () => {
  await owner`UPDATE oauth.connections SET status = 'revoked' WHERE id = 'tried lookout'`;
  expect(await expire(server, key("tried"), TTL, ACTOR)).toBe(false);
  await owner`UPDATE oauth.connections SET status = 'connected' WHERE id = 'tried lookout'`;
  await disable(server, key("tried"), ACTOR);
  for (const of of [key("tried"), key("tried", "harbor"), key("real"), key("real", "harbor")])
    expect(await expire(server, of, TTL, ACTOR)).toBe(false);
  expect(await lastUses()).toEqual([]);
});
