import { randomBytes } from "node:crypto";
import { generateCodeVerifier, OAuth2Client, OAuth2Fetch, type OAuth2Token } from "@badgateway/oauth2-client";
import { expect, test } from "vitest";
import { REDIRECT_URI } from "../harness/actors/onboarding.ts";
import { clientWorld, listAll } from "./world.ts";

test("@badgateway/oauth2-client connects, lists and refreshes [clients.libraries]", async () => {
  const { stack, client: registered, browser, shop, listUrl, ids } = await clientWorld();
  const client = new OAuth2Client({
    server: stack.base_url,
    clientId: registered.clientId,
    clientSecret: registered.secret,
    discoveryEndpoint: "/.well-known/oauth-authorization-server",
    authenticationMethod: "client_secret_basic",
  });
  const codeVerifier = await generateCodeVerifier();
  const state = randomBytes(16).toString("base64url");
  const request = { redirectUri: REDIRECT_URI, state, codeVerifier };
  const url = await client.authorizationCode.getAuthorizeUri({ ...request, scope: ["responses:read"] });
  const tokens = await client.authorizationCode.getTokenFromCodeRedirect(await browser.approve(url, shop), request);

  const get = (token: OAuth2Token) => {
    const wrapper = new OAuth2Fetch({
      client,
      getNewToken: () => null,
      getStoredToken: () => token,
      scheduleRefresh: false,
    });
    return async (page: string) => await (await wrapper.fetch(page)).json();
  };
  expect(await listAll(listUrl, get(tokens))).toEqual(ids);

  const refreshed = await client.refreshToken(tokens);
  expect(refreshed.accessToken).not.toBe(tokens.accessToken);
  // It keeps the refresh token that it has when the answer has none.
  expect(refreshed.refreshToken).toBe(tokens.refreshToken);
  expect(await listAll(listUrl, get(refreshed))).toEqual(ids);
  // Past its expiry, the wrapper refreshes by itself.
  expect(await listAll(listUrl, get({ ...tokens, accessToken: "expired", expiresAt: 1 }))).toEqual(ids);
});
