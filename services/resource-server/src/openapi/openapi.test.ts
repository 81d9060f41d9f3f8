import {
  EXAMPLE_SOURCE as FULL,
  readDocument,
  servedDocument,
} from "@partner-connect/contract/openapi";
import {
  type ApiDocument,
  describedAnswers,
  differencesFrom,
  kindOf,
  operationOf,
  operationsIn,
  received,
  recipesOf,
} from "@partner-connect/contract/testing";
import { ndjson, shopKeeper } from "@partner-connect/survey-data/testing";
import { afterAll, expect, test, vi } from "vitest";
import { Authenticator } from "../authentication/authenticate.ts";
import { EXAMPLE_QUESTION } from "../questions/questions.schema.ts";
import { EXAMPLE_RESPONSES } from "../responses/responses.schema.ts";
import {
  ISSUER,
  suiteServer,
  type TestResourceServer,
  type TestShop,
  testResourceServer,
} from "../testing.ts";

/** What a request changes in its operation's plain call with the shop's access token. */
interface Asking {
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Null if there is no such header. */
  readonly authorization?: string | null;
  readonly method?: string;
}

const server = await suiteServer();
/** A replica with a limit of one call a minute, and one that can't reach Postgres. */
const strict = await testResourceServer({ sharedWith: server, apiRateLimit: 1 });
const away = await testResourceServer({
  sharedWith: server,
  databaseUrl: (url) => url.replace(/:\d+\//, ":1/"),
});
afterAll(() => Promise.all([strict.close(), away.close()]));

const own = operationsIn(server.app.swagger() as object as ApiDocument);
const shop = await server.newShop();
const text = await (await server.get("/api/openapi.json")).text();
const document: ApiDocument = JSON.parse(text);
const differences = differencesFrom(document);

const DELETED = "res_018cc5f11a7c7e90a3b4c5d6e7f80912";

/** Gives the shop exactly the data that the examples show. */
async function fill({ id: shopId, connectionId }: TestShop): Promise<void> {
  const { owner } = server;
  const keeper = shopKeeper(owner);
  const deleted = [DELETED, "res_018cc5f11a7d7e90a3b4c5d6e7f80912"];
  const doomed = deleted.map((id) => ({ ...EXAMPLE_RESPONSES[0], id }));
  await keeper.importQuestions(shopId, ndjson(EXAMPLE_QUESTION));
  await keeper.importInto(shopId, ...EXAMPLE_RESPONSES, ...doomed);
  for (const id of deleted) await keeper.remove(shopId, [id]);
  await owner`UPDATE directory.shops SET domain = 'harbour-coffee.example' WHERE id = ${shopId}`;
  await owner`UPDATE oauth.connections SET exchanged_at = now(), last_used_at = now() WHERE id = ${connectionId}`;
  await owner`UPDATE survey.deleted_responses SET deleted_at = '2024-03-05T14:30:00Z' WHERE shop_id = ${shopId} AND id = ${DELETED}`;
}
await fill(shop);

function ask(operationId: string, asking: Asking = {}, { url }: TestResourceServer = server) {
  const { query = "", headers = {}, body, authorization = `Bearer ${shop.token}` } = asking;
  const { path = "", method = "" } = own.get(operationId) ?? {};
  return fetch(`${url}${path}${query}`, {
    method: asking.method ?? method,
    headers: {
      ...(authorization !== null && { authorization }),
      ...(method === "POST" && { "content-type": "application/json" }),
      ...headers,
    },
    ...(method === "POST" && {
      body: body ?? JSON.stringify({ name: "Slow Mornings", type: "podcast" }),
    }),
  });
}

type Recipe = (operationId: string) => Promise<Response>;

const asks =
  (asking: Asking): Recipe =>
  (operation) =>
    ask(operation, asking);
const body = (value: unknown): Asking => ({ body: JSON.stringify(value) });

/** How to get each example. Those that several operations share are requested from each. */
const RECIPES: Readonly<Record<string, Recipe>> = {
  "401 unauthorized": asks({ authorization: "Bearer eyJhbGciOiJFZERTQSJ9.e30.c2lnbmF0dXJl" }),
  "403 forbidden": async (operation) => {
    const revoked = await server.newShop();
    await server.owner`UPDATE oauth.connections SET status = 'revoked' WHERE id = ${revoked.connectionId}`;
    return await ask(operation, { authorization: `Bearer ${revoked.token}` });
  },
  "403 insufficient_scope": async (operation) => {
    const scope = operation === "createSource" ? "responses:read" : "sources:write";
    const token = await server.issuer.sign(server.claims(shop, { scope }));
    return await ask(operation, { authorization: `Bearer ${token}` });
  },
  "429 too_many_requests": async (operation) => {
    await ask("getConnection", {}, strict);
    return await ask(operation, {}, strict);
  },
  "500 internal_error": async (operation) => {
    const defect = vi
      .spyOn(Authenticator.prototype, "authenticate")
      .mockRejectedValue(new TypeError("a defect"));
    return await ask(operation).finally(() => defect.mockRestore());
  },
  "503 unavailable": (operation) => ask(operation, {}, away),
  "listQuestions 400 limit": asks({ query: "?limit=0" }),

  "getConnection 200 access_token": asks({}),
  "getConnection 200 api_key": () => ask("getConnection", { authorization: shop.apiKey }),

  "listResponses 200 first_page": asks({ query: "?limit=1&sort=updated_at_asc" }),
  "listResponses 200 last_page": async (operation) => {
    const first = await ask(operation, { query: "?limit=1&sort=updated_at_asc" });
    const { next } = (await first.json()) as { next: string };
    return await ask(operation, { query: new URL(next).search });
  },
  "listResponses 400 limit": asks({ query: "?limit=0" }),
  "listResponses 400 cursors": asks({ query: "?starting_after=a&ending_before=b" }),
  "listResponses 400 unknown_cursor": asks({ query: "?starting_after=res_of_another_shop" }),
  "listResponses 400 sort": asks({ query: "?sort=newest" }),
  "listResponses 400 time": asks({ query: "?updated_at_min=yesterday" }),

  "listDeletedResponses 200 page": asks({ query: "?limit=1" }),
  "listDeletedResponses 400 unknown_cursor": asks({ query: "?starting_after=res_of_long_ago" }),
  "listDeletedResponses 400 cursor_time": asks({ query: "?cursor_time=2024-03-05T14:30:00.000Z" }),

  "listQuestions 200 all": asks({}),

  "createSource 201 created": asks(body({ ...FULL, external_id: "show-111" })),
  "createSource 200 updated": async (operation) => {
    await ask(operation, body(FULL));
    return await ask(operation, body(FULL));
  },
  "createSource 400 missing": asks(body({ type: "podcast" })),
  "createSource 400 type": asks(body({ name: "A", type: "radio" })),
  "createSource 400 no_object": asks(body([])),
  "createSource 413 payload_too_large": asks(
    body({ name: "x".repeat(33 * 1024), type: "podcast" }),
  ),
  "createSource 415 unsupported_media_type": asks({
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: "name=A",
  }),
  "createSource 422 idempotency_key_reused": async (operation) => {
    const headers = { "idempotency-key": "once" };
    await ask(operation, { headers, ...body(FULL) });
    return await ask(operation, { headers, ...body({ ...FULL, name: "Another" }) });
  },
  "getOpenApi 200": asks({}),
  "getOpenApi 304": async (operation) => {
    const { headers } = await ask(operation);
    return await ask(operation, { headers: { "if-none-match": headers.get("etag") ?? "" } });
  },
  "getProtectedResourceMetadata 200 metadata": asks({}),
  "getProtectedResourceMetadataAtRoot 200 metadata": asks({}),
};

test("every documented response occurs and equals its example", async () => {
  for (const [name, example, recipe] of recipesOf(
    describedAnswers(document, own.keys()),
    RECIPES,
  )) {
    const answer = await received(await recipe(example.operationId));
    expect([name, answer.status, differences(example.operationId, answer)]).toEqual([
      name,
      example.status,
      [],
    ]);
    if (example.name === null) continue;
    const shown = JSON.parse(answer.body);
    // Errors, imported records and links are equal; generated values are of the same kind.
    const isGenerated = /^(getConnection|createSource) 20/.test(name);
    expect([name, isGenerated ? kindOf(shown) : shown]).toEqual([
      name,
      isGenerated ? kindOf(example.value) : example.value,
    ]);
  }
}, 60_000);

test("every documented example of a parameter or body is accepted", async () => {
  for (const operationId of own.keys()) {
    const { parameters = [], requestBody } = operationOf(document, operationId);
    for (const { name, in: place, example } of parameters) {
      const cursor = name === "cursor_time" ? `&starting_after=${cursorOf(parameters)}` : "";
      const sent =
        place === "query"
          ? { query: `?${name}=${encodeURIComponent(String(example))}${cursor}` }
          : { headers: { [name]: String(example) } };
      const { ok, headers } = await ask(operationId, sent);
      expect([operationId, name, ok, headers.get("x-ignored-parameters")]).toEqual([
        operationId,
        name,
        true,
        null,
      ]);
    }
    for (const { value } of Object.values(
      requestBody?.content["application/json"]?.examples ?? {},
    )) {
      expect([value, (await ask(operationId, body(value))).ok]).toEqual([value, true]);
    }
  }
});

const cursorOf = (parameters: readonly { name: string; example?: unknown }[]): unknown =>
  parameters.find(({ name }) => name === "starting_after")?.example;

test("every site may read and cache openapi.json, and no other path allows CORS", async () => {
  const { status, headers } = await ask("getOpenApi", { authorization: null });
  expect([status, headers.get("content-type"), headers.get("cache-control")]).toEqual([
    200,
    "application/json; charset=utf-8",
    "public, max-age=300",
  ]);
  const origin = (response: Response) => response.headers.get("access-control-allow-origin");
  for (const id of own.keys())
    expect([id, origin(await ask(id))]).toEqual([id, id === "getOpenApi" ? "*" : null]);
  expect(origin(await server.get("/api/none"))).toBeNull();
});

test("the file that `pnpm openapi` wrote is up to date, and is served with the configured addresses", () => {
  const file = readDocument();
  const part = JSON.parse(JSON.stringify(server.app.swagger()));
  const paths = Object.entries(file.paths).filter(([path]) =>
    /^\/(api|\.well-known\/oauth-protected)/.test(path),
  );
  expect(Object.fromEntries(paths), "run `pnpm openapi`").toEqual(part.paths);
  expect(file.components, "run `pnpm openapi`").toMatchObject(part.components);
  expect(text).toBe(servedDocument({ baseUrl: ISSUER, apiUrl: ISSUER }));
  expect(text).not.toContain("{base_url}");
});

test("openapi.json has every route of the resource server with its scope", async () => {
  expect(server.app.printRoutes().match(/\((GET|POST)/g)?.length).toBe(own.size);
  const none = `Bearer ${await server.issuer.sign(server.claims(shop, { scope: "" }))}`;
  for (const [id, route] of own) {
    expect([id, operationsIn(document).get(id)]).toEqual([id, route]);
    const refusal = (await ask(id, { authorization: none })).headers.get("www-authenticate");
    const needed = /error="insufficient_scope", scope="(.*?)"/.exec(refusal ?? "")?.[1];
    const isOpen = (await ask(id, { authorization: null })).status !== 401;
    const security = isOpen ? [] : [{ oauth2: needed ? [needed] : [] }, { api_key: [] }];
    expect([id, operationOf(document, id).security]).toEqual([id, security]);
  }
});

test.each(["listResponses", "listDeletedResponses", "listQuestions"])(
  "the response of %s lists ignored parameters in x-ignored-parameters",
  async (id) => {
    for (const method of ["GET", "HEAD"]) {
      const { status, headers } = await ask(id, {
        method,
        query: "?from=yesterday&limit=1&p%C3%A4ge=2&from=1",
      });
      expect([status, headers.get("x-ignored-parameters")]).toEqual([200, "from, p%C3%A4ge"]);
    }
  },
);
