import * as oauth from "openid-client";
import { beforeAll, describe, expect, test } from "vitest";
import { merchantBrowser } from "../harness/actors/merchant-browser.ts";
import { type Onboarded, onboard, REDIRECT_URI } from "../harness/actors/onboarding.ts";
import { mainStack } from "../harness/stack/stacks.ts";

const stack = mainStack();
let world: Onboarded;
beforeAll(async () => {
  world = await onboard(stack);
});

/** As somebody uses the library who sets nothing: it looks for OpenID Connect's metadata. */
async function connect(authentication?: oauth.ClientAuth) {
  const { client, merchant, shop } = world;
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
  const callback = new URL(await merchantBrowser(merchant).approve(url.href, shop));
  return { config, tokens: await oauth.authorizationCodeGrant(config, callback, { pkceCodeVerifier, expectedState }) };
}

describe("openid-client as it is by default", () => {
  test("finds the endpoints by its own discovery, that of revocation too", async () => {
    const { config, tokens } = await connect(oauth.ClientSecretBasic(world.client.secret));
    expect(tokens).toMatchObject({ token_type: "bearer", scope: "responses:read", refresh_token: expect.any(String) });
    const refreshToken = tokens.refresh_token ?? "";
    await oauth.tokenRevocation(config, refreshToken, { token_type_hint: "refresh_token" });
    const refused = { error: "invalid_grant", error_description: "grant revoked" };
    await expect(oauth.refreshTokenGrant(config, refreshToken)).rejects.toMatchObject(refused);
  });

  test("is told to use HTTP Basic where it sends the secret in the body", async () => {
    const error = await connect().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(oauth.WWWAuthenticateChallengeError);
    const { status, cause, response } = error as oauth.WWWAuthenticateChallengeError;
    expect([status, cause]).toMatchObject([401, [{ scheme: "basic" }]]);
    expect(await response.json()).toEqual({
      error: "invalid_client",
      error_description: expect.stringContaining("HTTP Basic"),
    });
  });
});
