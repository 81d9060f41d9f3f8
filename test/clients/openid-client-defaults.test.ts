import * as oauth from "openid-client";
import { describe, expect, test } from "vitest";
import { REDIRECT_URI } from "../harness/actors/onboarding.ts";
import { type ClientWorld, clientWorld } from "./world.ts";

/** As somebody uses the library who sets nothing: it looks for OpenID Connect's metadata. */
async function exchange({ stack, client, browser, shop }: ClientWorld, authentication?: oauth.ClientAuth) {
  const config = await oauth.discovery(new URL(stack.base_url), client.clientId, client.secret, authentication, {
    execute: [oauth.allowInsecureRequests],
  });
  const pkceCodeVerifier = oauth.randomPKCECodeVerifier();
  const expectedState = oauth.randomState();
  const url = oauth.buildAuthorizationUrl(config, {
    redirect_uri: REDIRECT_URI,
    scope: "responses:read",
    state: expectedState,
    code_challenge: await oauth.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: "S256",
  });
  const callback = new URL(await browser.approve(url.href, shop));
  return await oauth.authorizationCodeGrant(config, callback, { pkceCodeVerifier, expectedState });
}

describe("openid-client as it is by default [metadata.default-discovery]", () => {
  test("finds the endpoints by its own discovery", async () => {
    const world = await clientWorld();
    const tokens = await exchange(world, oauth.ClientSecretBasic(world.client.secret));
    expect(tokens).toMatchObject({ token_type: "bearer", scope: "responses:read", refresh_token: expect.any(String) });
  });

  test("is told to use HTTP Basic where it sends the secret in the body", async () => {
    const error = await exchange(await clientWorld()).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(oauth.WWWAuthenticateChallengeError);
    const { status, cause, response } = error as oauth.WWWAuthenticateChallengeError;
    expect([status, cause]).toMatchObject([401, [{ scheme: "basic" }]]);
    expect(await response.json()).toEqual({
      error: "invalid_client",
      error_description: expect.stringContaining("HTTP Basic"),
    });
  });
});
