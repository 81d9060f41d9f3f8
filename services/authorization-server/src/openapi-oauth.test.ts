import { readDocument, servedDocument } from "@partner-connect/contract/openapi";
import {
  type ApiDocument,
  describedAnswers,
  differencesFrom,
  kindOf,
  operationOf,
  operationsIn,
  recipesOf,
} from "@partner-connect/contract/testing";
import type { LightMyRequestResponse } from "fastify";
import { expect, test, vi } from "vitest";
import { passTime } from "./testing/pass-time.ts";
import {
  BASE_URL,
  type IssuedTestCode,
  REDIRECT_URI,
  type RegisteredClient,
  type Replicas,
  suiteReplicas,
} from "./testing/replicas.ts";
import { whileShopIsAway } from "./testing/shop-away.ts";
import { basic } from "./testing/token-calls.ts";

/** True for this service's paths. */
const isOurs = (path: string) => /^\/(oauth|\.well-known\/(oauth-authorization|openid))/.test(path);
const document = JSON.parse(servedDocument({ baseUrl: BASE_URL, apiUrl: BASE_URL })) as ApiDocument;
const OPERATIONS = new Map([...operationsIn(document)].filter(([, { path }]) => isOurs(path)));
const PARTNER_API = ["listConnections", "listChanges"];
const differences = differencesFrom(document);

const POSTED: readonly string[] = ["token", "refreshTokenBatch", "revoke"];

const LIMITS = { TOKEN_RATE_LIMIT: "1", AUTHORIZE_RATE_LIMIT: "1", API_RATE_LIMIT: "1" };
const replicas = await suiteReplicas(1);
const strict = await suiteReplicas(1, { ...LIMITS, TRUSTED_PROXIES: "127.0.0.1/32" });
const client = await replicas.registerClient();
const shop = await replicas.registerShop();

type Recipe = (operationId: string) => Promise<LightMyRequestResponse>;
type Form = Readonly<Record<string, string>>;

interface Sending {
  readonly from?: Replicas;
  readonly as?: RegisteredClient;
  readonly query?: Form;
  readonly body?: string;
  readonly headers?: Form;
}

async function send(operationId: string, sending: Sending = {}): Promise<LightMyRequestResponse> {
  const { from = replicas, as = client, query, headers = {} } = sending;
  const { body = operationId === "refreshTokenBatch" ? "{}" : "" } = sending;
  const isPosted = POSTED.includes(operationId);
  const authorization = basic(as);
  const type =
    operationId === "refreshTokenBatch" ? "application/json" : "application/x-www-form-urlencoded";
  const form = { authorization, "content-type": type };
  return await from.app().inject({
    method: isPosted ? "POST" : "GET",
    url: `${OPERATIONS.get(operationId)?.path}${query ? `?${new URLSearchParams(query)}` : ""}`,
    headers: {
      ...(isPosted && form),
      ...(PARTNER_API.includes(operationId) && { authorization }),
      ...headers,
    },
    ...(isPosted && { payload: body }),
  });
}

const newCode = (as = client) => replicas.approveAndIssueCode({ ...shop, clientId: as.clientId });
const exchangeForm = ({ code, codeVerifier }: IssuedTestCode): Form => ({
  grant_type: "authorization_code",
  code,
  redirect_uri: REDIRECT_URI,
  code_verifier: codeVerifier,
});
const refreshForm = (refreshToken: string): Form => ({
  grant_type: "refresh_token",
  refresh_token: refreshToken,
});
const token = (form: Form, options: Sending = {}) =>
  send("token", { body: new URLSearchParams(form).toString(), ...options });

async function newRefreshToken(as = client): Promise<string> {
  return (await token(exchangeForm(await newCode(as)), { as })).json().refresh_token;
}

/** A refresh for a connection of a new client, after `change` was applied to the client. */
const refreshing =
  (change: (as: RegisteredClient) => Promise<unknown>, more: Form = {}): Recipe =>
  async () => {
    const as = await replicas.registerClient();
    const refreshToken = await newRefreshToken(as);
    await change(as);
    return await token({ ...refreshForm(refreshToken), ...more }, { as });
  };

const batch = (tokens: readonly unknown[], as = client) =>
  send("refreshTokenBatch", { body: JSON.stringify({ refresh_tokens: tokens }), as });

/** A batch of three tokens: one is refreshed, one's connection is ended, one's store is away. */
const mixedBatch: Recipe = async () => {
  const as = await replicas.registerClient();
  const connected = await Promise.all(
    Array.from({ length: 3 }, async () => {
      const shop = await replicas.registerShop();
      const code = await replicas.approveAndIssueCode({ ...shop, clientId: as.clientId });
      return {
        ...shop,
        token: (await token(exchangeForm(code), { as })).json().refresh_token as string,
      };
    }),
  );
  await send("revoke", { as, body: `token=${connected[1]?.token}` });
  const tokens = connected.map(({ token }) => token);
  return await whileShopIsAway(replicas.sql, connected[2]?.shopId ?? "", () => batch(tokens, as));
};

const authorizing = (as = client): Form => ({
  response_type: "code",
  client_id: as.clientId,
  redirect_uri: REDIRECT_URI,
  scope: "responses:read sources:write",
  state: "Zk3p8XbV0sWm2QeRt7Yu1A",
  code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
  code_challenge_method: "S256",
});

/** The second of two requests, with a limit of one a minute. */
const tooOften: Recipe = async (operationId) => {
  const headers = {
    "x-forwarded-for": `198.19.${Math.floor(Math.random() * 255)}.${Math.floor(Math.random() * 255)}`,
  };
  await send(operationId, { from: strict, headers });
  return await send(operationId, { from: strict, headers });
};

const withDefect: Recipe = async (operationId) => {
  const clients = replicas.app().clients;
  const defect = vi.spyOn(clients, "find").mockRejectedValue(new TypeError("a defect"));
  const query = operationId === "authorize" ? { query: authorizing() } : {};
  return await send(operationId, query).finally(() => defect.mockRestore());
};

/** A request while the clients can't be read from Postgres. */
const withoutClients: Recipe = async (operationId) => {
  const as = await replicas.registerClient();
  await replicas.sql`ALTER TABLE directory.clients RENAME TO moved`;
  return await send(operationId, {
    as,
    ...(operationId === "authorize" && { query: authorizing(as) }),
  }).finally(() => replicas.sql`ALTER TABLE directory.moved RENAME TO clients`);
};

const RECIPES: Readonly<Record<string, Recipe>> = {
  "authorize 302": () => send("authorize", { query: authorizing() }),
  "authorize 400": () =>
    send("authorize", { query: { ...authorizing(), client_id: "client_nobody" } }),
  "authorize 429": tooOften,
  "authorize 500": withDefect,
  "authorize 503": withoutClients,
  "token 200 exchange": async () => await token(exchangeForm(await newCode())),
  "token 200 refresh": async () => await token(refreshForm(await newRefreshToken())),
  "token 400 refresh_token_expired": refreshing(({ clientId }) =>
    passTime(replicas, { clientId }, 31 * 86_400),
  ),
  "token 400 grant_revoked": refreshing(
    ({ clientId }) =>
      replicas.sql`UPDATE oauth.connections SET status = 'revoked' WHERE client_id = ${clientId}`,
  ),
  "token 400 superseded": refreshing(newRefreshToken),
  "token 400 code_used": async () => {
    const form = exchangeForm(await newCode());
    await token(form);
    return await token(form);
  },
  "token 400 missing": async () => await token({ ...exchangeForm(await newCode()), code: "" }),
  "token 400 unauthorized_client": async () => {
    const as = await replicas.registerClient({ grantTypes: ["authorization_code"] });
    return await token(refreshForm("any"), { as });
  },
  "token 400 unsupported_grant_type": () => token({ grant_type: "password" }),
  "token 400 invalid_scope": refreshing(async () => {}, { scope: "sources:write" }),
  "401 invalid_client": (operationId) => send(operationId, { as: { ...client, secret: "wrong" } }),
  "401 client_disabled": async (operationId) => {
    const as = await replicas.registerClient();
    await replicas.sql`UPDATE directory.clients SET status = 'disabled' WHERE client_id = ${as.clientId}`;
    return await send(operationId, { as });
  },
  "listConnections 200 page": async () => {
    const as = await replicas.registerClient();
    const named = await replicas.registerShop();
    await replicas.sql`UPDATE directory.shops SET domain = 'tea.example' WHERE id = ${named.shopId}`;
    for (const each of [named, await replicas.registerShop()])
      await token(
        exchangeForm(await replicas.approveAndIssueCode({ ...each, clientId: as.clientId })),
        { as },
      );
    return await send("listConnections", { as, query: { limit: "1" } });
  },
  "listConnections 400 limit": () => send("listConnections", { query: { limit: "0" } }),
  "listConnections 400 status": () => send("listConnections", { query: { status: "gone" } }),
  "listConnections 400 unknown_cursor": () =>
    send("listConnections", { query: { starting_after: "con_0" } }),
  "listChanges 200 page": async () => {
    const as = await replicas.registerClient();
    await newRefreshToken(as);
    await replicas.relay();
    const { cursor } = (await send("listChanges", { as, query: { limit: "3" } })).json();
    return await send("listChanges", { as, query: { after: cursor } });
  },
  "listChanges 400 after": () => send("listChanges", { query: { after: "con_0" } }),
  "listChanges 400 wait": () => send("listChanges", { query: { wait: "26" } }),
  "listChanges 410 cursor_expired": async () => {
    const as = await replicas.registerClient();
    await newRefreshToken(as);
    await replicas.relay();
    const { cursor } = (await send("listChanges", { as })).json();
    await replicas.sql`UPDATE oauth.change_positions SET number = 1 WHERE client_id = ${as.clientId}`;
    return await send("listChanges", { as, query: { after: cursor } });
  },
  "refreshTokenBatch 200 batch": mixedBatch,
  "refreshTokenBatch 400 malformed": () => batch([]),
  "refreshTokenBatch 400 unauthorized_client": async () =>
    await batch(["any"], await replicas.registerClient({ grantTypes: ["authorization_code"] })),
  "revoke 200": () => send("revoke", { body: "token=unknown" }),
  "revoke 400 missing": () => send("revoke"),
  "429 too_many_requests": tooOften,
  "500 internal_error": withDefect,
  "503 unavailable": withoutClients,
  "getAuthorizationServerMetadata 200 metadata": send,
  "getOpenIdConfiguration 200 metadata": send,
  "getJsonWebKeySet 200 one_key": send,
};

test("the OpenAPI document is up to date with the schemas of this service's routes", () => {
  const part = JSON.parse(JSON.stringify(replicas.app().swagger()));
  const { paths, components } = readDocument();
  const ours = Object.fromEntries(Object.entries(paths).filter(([path]) => isOurs(path)));
  expect(ours, "run `pnpm openapi`").toEqual(part.paths);
  expect(components, "run `pnpm openapi`").toMatchObject(part.components);
});

test.each(recipesOf(describedAnswers(document, OPERATIONS.keys()), RECIPES))(
  "the OpenAPI document shows the actual response of %s",
  async (_name, example, recipe) => {
    const answer = await recipe(example.operationId);
    const { statusCode: status, headers, body } = answer;
    const header = (key: string) => (headers[key] === undefined ? null : String(headers[key]));
    expect([status, differences(example.operationId, { status, header, body })]).toEqual([
      example.status,
      [],
    ]);
    if (example.name === null) return;
    // Errors are compared verbatim; generated values, such as a token, only by their kind.
    if (status >= 400) expect(answer.json()).toEqual(example.value);
    else expect(kindOf(answer.json())).toEqual(kindOf(example.value));
  },
);

test("the example requests of the OpenAPI document are accepted", async () => {
  const { parameters = [] } = operationOf(document, "authorize");
  const shown = Object.fromEntries(parameters.map(({ name, example }) => [name, String(example)]));
  const sent = { ...shown, client_id: client.clientId };
  expect(kindOf(shown)).toEqual(kindOf(sent));
  const { headers } = await send("authorize", { query: sent });
  expect(String(headers["location"])).toMatch(/^\/oauth\/authorization\?request=/);

  const expectShown = (operationId: string, type: string, sent: Record<string, object>) => {
    const examples = operationOf(document, operationId).requestBody?.content[type]?.examples ?? {};
    const kinds = Object.entries(examples).map(([name, { value }]) => [name, kindOf(value)]);
    expect(Object.fromEntries(kinds)).toEqual(kindOf(sent));
  };
  const exchange = exchangeForm(await newCode());
  const exchanged = await token(exchange);
  const refresh = refreshForm(exchanged.json().refresh_token);
  const narrower = { ...refresh, scope: "responses:read" };
  expectShown("token", "application/x-www-form-urlencoded", { exchange, refresh, narrower });
  const answers = [exchanged, await token(refresh), await token(narrower)];
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
  const tokens = [refresh["refresh_token"]];
  expectShown("refreshTokenBatch", "application/json", { batch: { refresh_tokens: tokens } });
  expect((await batch(tokens)).json().results[0]).toHaveProperty("access_token");
  expectShown("revoke", "application/x-www-form-urlencoded", {
    revocation: { token: refresh["refresh_token"] },
  });
});
