import { expect, test, vi } from "vitest";
import { connectedMerchant } from "../testing/connected-merchant.ts";
import { suiteFixture } from "../testing/merchant-fixture.ts";
import {
  basic,
  callToken,
  exchangeCode,
  refreshBatch,
  refreshTokens,
} from "../testing/token-calls.ts";

const fixture = await suiteFixture({ env: { CODE_REPLAY_GRACE_SECONDS: "0" } });

/** The samples of a counter: the values of the labels, and the count. */
async function samples(name: string): Promise<Record<string, number>> {
  const metric = await fixture.replicas.metrics.registry.getSingleMetric(name)?.get();
  return Object.fromEntries(
    metric?.values.map(({ labels, value }) => [Object.values(labels).join(" "), value]) ?? [],
  );
}

test("token requests are counted by grant type and reason, even if the caller has disconnected", async () => {
  const { replicas } = fixture;
  const app = replicas.app();
  const client = await replicas.registerClient();
  const shop = await replicas.registerShop();
  const code = await replicas.approveAndIssueCode({ ...shop, clientId: client.clientId });
  const { body } = await exchangeCode(app, client, code);
  await refreshTokens(app, client, body.refresh_token);
  await refreshTokens(app, { ...client, secret: "wrong" }, body.refresh_token);
  await refreshTokens(app, client, "unknown");
  await callToken(app, client, { grant_type: "password" });
  await replicas.sql`UPDATE oauth.connections SET exchanged_at = now() - interval '1 hour' WHERE client_id = ${client.clientId}`;
  await exchangeCode(app, client, code);
  const leaving = new AbortController();
  const left = Promise.withResolvers<null>();
  app.server.once("connection", (socket) => socket.once("close", () => left.resolve(null)));
  vi.spyOn(app.clients, "find").mockImplementationOnce(() => {
    leaving.abort();
    return left.promise;
  });
  const call = fetch(`${await app.listen({ host: "127.0.0.1", port: 0 })}/oauth/api/token`, {
    method: "POST",
    headers: { authorization: basic({ ...client, secret: "wrong" }) },
    signal: leaving.signal,
  });
  await expect(call).rejects.toThrow("aborted");

  await vi.waitFor(async () =>
    expect(await samples("http_request_duration_seconds")).toMatchObject({
      "POST /oauth/api/token 401": 2,
    }),
  );
  expect(await samples("partner_connect_token_requests_total")).toEqual({
    "authorization_code issued": 1,
    "refresh_token issued": 1,
    "none wrong_secret": 2,
    "refresh_token unknown_refresh_token": 1,
    "none unsupported_grant_type": 1,
    "authorization_code code_replayed_late": 1,
  });
  expect(await samples("partner_connect_revocations_total")).toEqual({ code_replayed: 1 });
  const refused = await samples("partner_connect_refused_total");
  expect(refused).toMatchObject({ wrong_secret: 2, code_replayed_late: 1 });
});

test("authorizations, sign-ins and ended connections are counted by outcome", async () => {
  const { browser, merchant } = await connectedMerchant(fixture);
  const stranger = fixture.browser();
  const form = await stranger.open("/oauth/sign-in");
  await fixture.signIn(stranger, form, merchant, "not the password");
  await stranger.open("/oauth/api/authorize?client_id=nobody");
  const { clientId } = await fixture.replicas.registerClient();
  const asked = await stranger.open(await fixture.begin(stranger, { clientId }));
  await fixture.replicas
    .sql`UPDATE directory.clients SET status = 'disabled' WHERE client_id = ${clientId}`;
  await fixture.replicas.app().clients.findNow(clientId);
  expect((await fixture.signIn(stranger, asked, merchant)).status).toBe(400);
  const confirm = await browser.press(await browser.open("/oauth/connections"), "Disconnect");
  await browser.press(confirm, "Disconnect");

  const authorizations = await samples("partner_connect_authorizations_total");
  expect(authorizations).toEqual({ begun: 2, approved: 1, refused: 2 });
  expect(await samples("partner_connect_sign_ins_total")).toEqual({ signed_in: 1, refused: 1 });
  expect(await samples("partner_connect_revocations_total")).toMatchObject({ merchant: 1 });
});

test("a known client's refusals by every endpoint are recorded as examples, without secret values from the requests", async () => {
  const { replicas } = fixture;
  const app = replicas.app();
  const client = await replicas.registerClient();
  const secret = "hostile-4711";
  replicas.activity.take();
  const headers = { authorization: basic(client), cookie: secret };
  const uri = encodeURIComponent(`https://a:${secret}@b.example/c?${secret}#${secret}`);
  const answers = [
    await callToken(app, client, { grant_type: secret, [secret]: secret }),
    await refreshTokens(app, { ...client, secret }, secret),
    await app.inject({ url: `/oauth/api/connections?limit=${secret}`, headers }),
    await app.inject(
      `/oauth/api/authorize?client_id=${client.clientId}&redirect_uri=${uri}&state=${secret}`,
    ),
    await refreshBatch(app, client, [secret, secret]),
    await app.inject({
      url: "/oauth/api/changes",
      headers: { authorization: basic({ ...client, secret }) },
    }),
  ];
  await refreshTokens(app, { clientId: secret, secret }, secret);
  await refreshTokens(app, client, secret, { client_secret: secret });
  const counted = replicas.activity.take();
  const kept = counted.flatMap(({ examples }) => examples);
  const shown = kept.map((r) =>
    [r.call, r.status, r.what, r.reason, r.error, r.param, r.sent].join(" "),
  );
  expect(shown).toEqual([
    "POST /oauth/api/token 400 token_refused unsupported_grant_type unsupported_grant_type  ",
    "POST /oauth/api/token 401 token_refused wrong_secret invalid_client  ",
    "GET /oauth/api/connections 400 refused invalid_parameter invalid_request limit ",
    "GET /oauth/api/authorize 400 authorize_refused invalid_redirect_uri   https://…@b.example/c?…",
    "POST /oauth/api/token/batch 200 token_refused unknown_refresh_token   ",
    "GET /oauth/api/changes 401 refused wrong_secret invalid_client  ",
  ]);
  const ids = answers.map(({ headers }) => headers["x-request-id"]);
  expect(kept.map(({ requestId }) => requestId)).toEqual(ids);
  expect(new Set(kept.map(({ clientId }) => clientId))).toEqual(new Set([client.clientId]));
  expect(JSON.stringify(kept)).not.toContain(secret);
  const [calls] = counted.filter(({ what }) => what === "calls");
  expect(calls).toMatchObject({ clientId: client.clientId, count: 1 });
});

test("the number of metric series does not grow with the values that callers send", async () => {
  const { registry } = fixture.replicas.metrics;
  const app = fixture.replicas.app();
  const flood = async (turns: number) => {
    for (let turn = 0; turn < turns; turn++) {
      const odd = `odd${turn}`;
      const [method] = (["PROPFIND", "M-SEARCH", "TRACE", "LINK", "GET"] as const).slice(turn % 5);
      const authorization = basic({ clientId: `client_${odd}`, secret: odd });
      const form = { "content-type": "application/x-www-form-urlencoded", authorization };
      const url = `/${odd}/oauth/${odd}`;
      await app.inject({ method: method as "GET", url, headers: { "x-request-id": odd } });
      await app.inject(`/oauth/api/authorize?client_id=${odd}&scope=${odd}`);
      const token = { url: "/oauth/api/token", payload: `grant_type=${odd}` };
      await app.inject({ method: "POST", headers: form, ...token });
      const signIn = { url: "/oauth/sign-in", payload: { email: odd, password: odd } };
      await app.inject({ method: "POST", ...signIn });
    }
  };
  const series = async () =>
    (await registry.metrics()).match(/^(?:partner_connect|http)_/gm)?.length ?? 0;
  await flood(10);
  const before = await series();
  await flood(30);
  expect((await series()) - before).toBe(0);
});
