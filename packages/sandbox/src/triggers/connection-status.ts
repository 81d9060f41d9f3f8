import { disable, enable, revoke } from "@partner-connect/connections";
import { chooseConnection } from "./choose.ts";
import type { Trigger } from "./trigger.ts";

const options = ["connection", "shop", "client"] as const;

export const REVOKE: Trigger = {
  name: "revoke",
  does: "ends the connection, as the merchant's Disconnect does",
  partner:
    "API calls say 403 forbidden; the refresh then says 400 invalid_grant, 'grant revoked': ask the merchant to connect again",
  options,
  pull: (world, asked, actor) =>
    world.withDatabase(async (sql) => {
      const { id, shopId } = await chooseConnection(sql, asked, "connected", world.lifetimes.refreshToken);
      await revoke(sql, { shopId, id }, actor, { reason: "sandbox" });
      return { connection: id };
    }),
};

export const HOLD: Trigger = {
  name: "hold",
  does: "puts the operator's hold on the connection, until 'release'",
  partner:
    "API calls say 403 forbidden, refreshes 400 invalid_grant, 'grant revoked'; the merchant can't connect it again meanwhile",
  options,
  pull: (world, asked, actor) =>
    world.withDatabase(async (sql) => {
      const { id, shopId } = await chooseConnection(sql, asked, "connected", world.lifetimes.refreshToken);
      await disable(sql, { shopId, id }, actor);
      return { connection: id };
    }),
};

export const RELEASE: Trigger = {
  name: "release",
  does: "ends the hold",
  partner: "the refresh token works again; access tokens from before the hold stay refused",
  options,
  pull: (world, asked, actor) =>
    world.withDatabase(async (sql) => {
      const { id, shopId } = await chooseConnection(sql, asked, "disabled", world.lifetimes.refreshToken);
      await enable(sql, { shopId, id }, actor);
      return { connection: id };
    }),
};
