import type { Trigger } from "./trigger.ts";

/** One second more than the lifetime: from then on nothing of it is left. */
const afterwards = (seconds: number) => (seconds + 1) * 1000;

export const CODE_EXPIRY: Trigger = {
  name: "code-expiry",
  does: "moves the clock past the life of a code: codes that were not exchanged expire",
  partner: "the exchange says 400 invalid_grant: let the merchant begin again",
  options: [],
  async pull({ clock, lifetimes }) {
    await clock.advance(afterwards(lifetimes.code));
    return { advanced_seconds: lifetimes.code + 1 };
  },
};

export const TOKEN_EXPIRY: Trigger = {
  name: "token-expiry",
  does: "moves the clock past the life of an access token: all of them expire",
  partner: 'API calls say 401 unauthorized, error="invalid_token": refresh, and send the call again',
  options: [],
  async pull({ clock, lifetimes }) {
    await clock.advance(afterwards(lifetimes.accessToken));
    return { advanced_seconds: lifetimes.accessToken + 1 };
  },
};
