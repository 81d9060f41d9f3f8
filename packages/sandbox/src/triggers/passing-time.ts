import { chooseConnection } from "./choose.ts";
import { type Trigger, withRedis } from "./trigger.ts";

/** One second more than the lifetime: from then on nothing of it is left. */
function pass(of: "code" | "accessToken"): Pick<Trigger, "options" | "pull"> {
  return {
    options: [],
    async pull({ clock, lifetimes }) {
      const seconds = lifetimes[of] + 1;
      await clock.advance(seconds * 1000);
      return { advanced_seconds: seconds };
    },
  };
}

export const CODE_EXPIRY: Trigger = {
  name: "code-expiry",
  does: "moves the clock past the life of a code: codes that were not exchanged expire",
  partner: "the exchange says 400 invalid_grant: let the merchant begin again",
  ...pass("code"),
};

export const TOKEN_EXPIRY: Trigger = {
  name: "token-expiry",
  does: "moves the clock past the life of an access token: all of them expire",
  partner: 'API calls say 401 unauthorized, error="invalid_token": refresh, and send the call again',
  ...pass("accessToken"),
};

/** Postgres keeps the last use to a 720th of the lifetime, and adds that where Redis, which keeps it exactly, doesn't know. */
const lapse = (refreshToken: number) => Math.ceil(refreshToken * (1 + 1 / 720)) + 1;

export const CONNECTION_LAPSE: Trigger = {
  name: "connection-lapse",
  does: "lets the connection be unused for the life of its refresh token, by moving its past back; without an option it is the clock that moves, and all lapse",
  partner: "the refresh says 400 invalid_grant, 'refresh token expired': ask the merchant to connect again",
  options: ["connection", "shop", "client"],
  async pull(world, options) {
    const { refreshToken } = world.lifetimes;
    const seconds = lapse(refreshToken);
    if (!options.connection && !options.shop && !options.client) {
      await world.clock.advance(seconds * 1000);
      return { advanced_seconds: seconds };
    }
    return await world.withDatabase(async (sql) => {
      const { id, shopId } = await chooseConnection(sql, options, "connected", refreshToken);
      const [row] = await sql<{ hash: Buffer }[]>`
        UPDATE oauth.connections SET approved_at = approved_at - past, connected_at = connected_at - past,
          exchanged_at = exchanged_at - past, last_used_at = last_used_at - past
        FROM make_interval(secs => ${seconds}) AS past WHERE shop_id = ${shopId} AND id = ${id}
        RETURNING refresh_token_hash AS hash`;
      // Its token has ended there, too.
      const key = `oauth:RefreshToken:${row?.hash.toString("base64url")}`;
      await withRedis(world.stack.state.redis_url, (redis) => redis.del(key));
      return { connection: id };
    });
  },
};
