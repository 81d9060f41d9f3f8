import * as oauth from "openid-client";
import { expect, test } from "vitest";
import { REDIRECT_URI } from "../harness/actors/onboarding.ts";
import { clientWorld, listAll } from "./world.ts";

test("openid-client connects, lists, refreshes and disconnects [clients.libraries]", async () => {
  const { stack, client, browser, shop, listUrl, ids } = await clientWorld();
  const basic = oauth.ClientSecretBasic(client.secret);
  const config = await oauth.discovery(new URL(stack.base_url), client.clientId, undefined, basic, {
    algorithm: "oauth2",
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
  const tokens = await oauth.authorizationCodeGrant(config, callback, { pkceCodeVerifier, expectedState });

  const get = (accessToken: string) => async (page: string) =>
    await (await oauth.fetchProtectedResource(config, accessToken, new URL(page), "GET")).json();
  expect(await listAll(listUrl, get(tokens.access_token))).toEqual(ids);

  const refreshed = await oauth.refreshTokenGrant(config, tokens.refresh_token ?? "");
  expect(refreshed.refresh_token).toBeUndefined();
  expect(await listAll(listUrl, get(refreshed.access_token))).toEqual(ids);

  await oauth.tokenRevocation(config, tokens.refresh_token ?? "", { token_type_hint: "refresh_token" });
  await expect(oauth.refreshTokenGrant(config, tokens.refresh_token ?? "")).rejects.toMatchObject({
    error_description: "grant revoked",
  });
});
