import * as oauth from "oauth4webapi";
import { expect, test } from "vitest";
import { REDIRECT_URI } from "../harness/actors/onboarding.ts";
import { clientWorld, listAll } from "./world.ts";

const INSECURE = { [oauth.allowInsecureRequests]: true };

test("oauth4webapi connects, lists, refreshes and disconnects [clients.libraries]", async () => {
  const { stack, client: registered, browser, shop, listUrl, ids } = await clientWorld();
  const issuer = new URL(stack.base_url);
  const discovered = await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...INSECURE });
  const server = await oauth.processDiscoveryResponse(issuer, discovered);
  const client: oauth.Client = { client_id: registered.clientId };
  const basic = oauth.ClientSecretBasic(registered.secret);

  const codeVerifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const url = new URL(server.authorization_endpoint ?? "");
  url.search = new URLSearchParams({
    response_type: "code",
    client_id: registered.clientId,
    redirect_uri: REDIRECT_URI,
    scope: "responses:read",
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: "S256",
  }).toString();
  const callback = new URL(await browser.approve(url.href, shop));
  const parameters = oauth.validateAuthResponse(server, client, callback, state);
  const exchanged = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    basic,
    parameters,
    REDIRECT_URI,
    codeVerifier,
    INSECURE,
  );
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, exchanged);

  const get = (accessToken: string) => async (page: string) => {
    const response = await oauth.protectedResourceRequest(accessToken, "GET", new URL(page), undefined, null, INSECURE);
    return await response.json();
  };
  expect(await listAll(listUrl, get(tokens.access_token))).toEqual(ids);

  const answer = await oauth.refreshTokenGrantRequest(server, client, basic, tokens.refresh_token ?? "", INSECURE);
  const refreshed = await oauth.processRefreshTokenResponse(server, client, answer);
  expect(await listAll(listUrl, get(refreshed.access_token))).toEqual(ids);

  const revoked = await oauth.revocationRequest(server, client, basic, refreshed.access_token, INSECURE);
  expect(await oauth.processRevocationResponse(revoked)).toBeUndefined();
  const refused = await oauth.refreshTokenGrantRequest(server, client, basic, tokens.refresh_token ?? "", INSECURE);
  expect(refused.status).toBe(400);
  expect(await get(refreshed.access_token)(listUrl)).toEqual({ error: "forbidden" });
});
