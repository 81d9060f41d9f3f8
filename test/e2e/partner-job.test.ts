import * as oauth from "openid-client";
import { expect, test } from "vitest";
import { merchantBrowser } from "../harness/actors/merchant-browser.ts";
import { onboard, REDIRECT_URI } from "../harness/actors/onboarding.ts";
import { operator } from "../harness/actors/operator.ts";
import { generateResponses, importRecords, type SurveyRecord } from "../harness/actors/survey.ts";
import { mainStack } from "../harness/stack/stacks.ts";

const BOTH = "responses:read sources:write";

const stack = mainStack();

const onboarded = await onboard(stack);
const browser = merchantBrowser(onboarded.merchant);
const records = generateResponses(1234, "partner");
await importRecords(stack, "response", onboarded.advancedShop, records);
const { clientId, secret } = onboarded.client;
const config = await oauth.discovery(
  new URL(stack.base_url),
  clientId,
  secret,
  oauth.ClientSecretBasic(secret),
  {
    algorithm: "oauth2",
    execute: [oauth.allowInsecureRequests],
  },
);

async function connect(scope: string) {
  const pkceCodeVerifier = oauth.randomPKCECodeVerifier();
  const expectedState = oauth.randomState();
  const url = oauth.buildAuthorizationUrl(config, {
    redirect_uri: REDIRECT_URI,
    scope,
    state: expectedState,
    code_challenge: await oauth.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: "S256",
  });
  const callback = new URL(await browser.approve(url.href, onboarded.advancedShop));
  return await oauth.authorizationCodeGrant(config, callback, { pkceCodeVerifier, expectedState });
}

const call = (accessToken: string, url: string, method = "GET", body?: string) =>
  oauth.fetchProtectedResource(
    config,
    accessToken,
    new URL(url, stack.base_url),
    method,
    body,
    body ? new Headers({ "content-type": "application/json" }) : undefined,
  );

test("a partner with openid-client connects, lists all responses, refreshes, widens its scope, and loses access by a revocation", async () => {
  const tokens = await connect("responses:read");
  expect(tokens).toMatchObject({ token_type: "bearer", scope: "responses:read", expires_in: 900 });

  const seen: string[] = [];
  for (let url = "/api/responses?limit=500&sort=updated_at_desc"; url; ) {
    const { data, next } = (await (await call(tokens.access_token, url)).json()) as {
      data: SurveyRecord[];
      next: string;
    };
    seen.push(...data.map(({ id }) => id));
    url = next;
  }
  expect(seen.toSorted()).toEqual(records.map(({ id }) => id).toSorted());

  const refreshToken = tokens.refresh_token ?? "";
  const refreshed = await oauth.refreshTokenGrant(config, refreshToken);
  expect(refreshed.refresh_token).toBeUndefined();
  expect((await call(refreshed.access_token, "/api/questions")).status).toBe(200);
  const source = JSON.stringify({ name: "Hat Weekly", type: "newsletter" });
  const refused = await call(refreshed.access_token, "/api/sources", "POST", source).catch(
    (error) => error.response ?? error,
  );
  expect([refused.status]).toEqual([403]);

  const wider = await connect(BOTH);
  expect(wider.scope?.split(" ").sort()).toEqual(BOTH.split(" "));
  expect((await call(wider.access_token, "/api/sources", "POST", source)).status).toBe(201);
  await expect(oauth.refreshTokenGrant(config, refreshToken)).rejects.toMatchObject({
    error: "invalid_grant",
    status: 400,
  });
  const widerToken = wider.refresh_token ?? "";
  expect((await oauth.refreshTokenGrant(config, widerToken)).scope?.split(" ").sort()).toEqual(
    BOTH.split(" "),
  );

  const words = ["connection list --client", onboarded.client.clientId];
  const [connection] = await operator(stack, words);
  await operator(stack, ["connection", "revoke", connection.id]);
  await expect(oauth.refreshTokenGrant(config, widerToken)).rejects.toMatchObject({
    error: "invalid_grant",
    error_description: "grant revoked",
  });
  const forbidden = await call(wider.access_token, "/api/responses").catch(
    (error) => error.response ?? error,
  );
  expect([forbidden.status, await forbidden.json()]).toEqual([403, { error: "forbidden" }]);
});
