import type { Trigger } from "./trigger.ts";

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
