import type { Actor } from "@partner-connect/audit";
import { type ConnectionKey, disable, enable, type ListedConnection, revoke } from "@partner-connect/connections";
import type { Sql } from "@partner-connect/database";
import { chooseConnection } from "./choose.ts";
import type { Trigger } from "./trigger.ts";

type Make = (sql: Sql, connection: ConnectionKey, actor: Actor) => Promise<unknown>;

function change(status: ListedConnection["status"], make: Make): Pick<Trigger, "options" | "pull"> {
  return {
    options: ["connection", "shop", "client"],
    pull: (world, options, actor) =>
      world.withDatabase(async (sql) => {
        const { id, shopId } = await chooseConnection(sql, options, status, world.lifetimes.refreshToken);
        await make(sql, { shopId, id }, actor);
        return { connection: id };
      }),
  };
}

export const REVOKE: Trigger = {
  name: "revoke",
  does: "ends the connection, as the merchant's Disconnect does",
  partner:
    "API calls say 403 forbidden; the refresh then says 400 invalid_grant, 'grant revoked': ask the merchant to connect again",
  ...change("connected", (sql, connection, actor) => revoke(sql, connection, actor, { reason: "sandbox" })),
};

export const HOLD: Trigger = {
  name: "hold",
  does: "puts the operator's hold on the connection, until 'release'",
  partner:
    "API calls say 403 forbidden, refreshes 400 invalid_grant, 'grant revoked'; the merchant can't connect it again meanwhile",
  ...change("connected", disable),
};

export const RELEASE: Trigger = {
  name: "release",
  does: "ends the hold",
  partner: "the refresh token works again; access tokens from before the hold stay refused",
  ...change("disabled", enable),
};
