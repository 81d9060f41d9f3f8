import { readDocument, servedDocument } from "@partner-connect/contract/openapi";
import {
  type ApiDocument,
  type Differences,
  differencesFrom,
  operationOf,
  operationsIn,
} from "@partner-connect/contract/testing";
import { TEST_OPERATOR } from "@partner-connect/directory/testing";
import { deleteResponses, importQuestions, importResponses } from "@partner-connect/survey-data";
import { generateQuestions, generateResponses } from "@partner-connect/survey-data/generated";
import { beforeAll, describe, expect, test } from "vitest";
import { METADATA_PATH } from "../protected-resource.ts";
import { ISSUER, suiteServer, type TestShop } from "../testing.ts";

const server = await suiteServer();
let shop: TestShop;
let text: string;
let document: ApiDocument;
let _differences: Differences;

beforeAll(async () => {
  shop = await server.newShop();
  text = await (await server.get("/api/openapi.json")).text();
  document = JSON.parse(text);
  _differences = differencesFrom(document);
  await importQuestions(server.owner, { shopId: shop.id, lines: generateQuestions({}) }, TEST_OPERATOR);
  await importResponses(server.owner, { shopId: shop.id, lines: generateResponses({ count: 200 }) }, TEST_OPERATOR);
  const rows = await server.owner<{ id: string }[]>`
    SELECT id FROM survey.responses WHERE shop_id = ${shop.id} LIMIT 10`;
  await deleteResponses(server.owner, { shopId: shop.id, ids: rows.map(({ id }) => id) }, TEST_OPERATOR);
});

describe("/api/openapi.json", () => {
  test("is for everybody, and may be kept for five minutes", async () => {
    const response = await server.get("/api/openapi.json");
    expect([response.status, response.headers.get("content-type"), response.headers.get("cache-control")]).toEqual([
      200,
      "application/json; charset=utf-8",
      "public, max-age=300",
    ]);
  });

  test("is for scripts of any site, and nothing else is", async () => {
    const origin = async (path: string, credential?: string) =>
      (await server.get(path, credential)).headers.get("access-control-allow-origin");
    expect(await origin("/api/openapi.json")).toBe("*");
    for (const path of ["/api/responses", "/api/questions", "/api/connection", "/api/none", METADATA_PATH]) {
      expect([path, await origin(path, shop.apiKey), await origin(path)]).toEqual([path, null, null]);
    }
  });

  test("says who runs the system and on what terms where that is set, and nothing of it elsewhere", async () => {
    const information = {
      termsOfService: "https://connect.example/terms",
      contact: { name: "Partner desk", url: "https://connect.example/support", email: "partners@connect.example" },
      license: { name: "Proprietary", url: "https://connect.example/license" },
    };
    const served = JSON.parse(servedDocument({ baseUrl: ISSUER, apiUrl: ISSUER }, information));
    expect(served.info).toEqual({ ...JSON.parse(text).info, ...information });
    expect(Object.keys(JSON.parse(text).info)).toEqual(["title", "version", "description"]);
  });

  test("has the routes of this service as `pnpm openapi` writes them from their schemas, and our addresses", () => {
    const file = readDocument();
    const part = JSON.parse(JSON.stringify(server.app.swagger()));
    const paths = Object.entries(file.paths).filter(([path]) => /^\/(api|\.well-known\/oauth-protected)/.test(path));
    expect(Object.fromEntries(paths), "run `pnpm openapi`").toEqual(part.paths);
    expect(file.components, "run `pnpm openapi`").toMatchObject(part.components);
    expect(text).toBe(servedDocument({ baseUrl: ISSUER, apiUrl: ISSUER }));
    expect(text).not.toContain("{base_url}");
  });

  test("names the API's own hostname where it has one", () => {
    const urls = { baseUrl: "https://connect.example", apiUrl: "https://api.example" };
    const { servers, paths } = JSON.parse(servedDocument(urls));
    expect(servers).toEqual([{ url: urls.baseUrl }]);
    expect(paths["/api/responses"].servers).toEqual([{ url: urls.apiUrl }]);
    expect(paths["/oauth/api/token"].servers).toBeUndefined();
  });

  test("has every route of this service, each with the scope that it needs", async () => {
    const operations = operationsIn(document);
    const own = operationsIn(server.app.swagger() as object as ApiDocument);
    expect(server.app.printRoutes().match(/\((GET|POST)/g)?.length).toBe(own.size);
    const none = `Bearer ${await server.issuer.sign(server.claims(shop, { scope: "" }))}`;
    for (const [id, { path, method }] of own) {
      expect([id, operations.get(id)]).toEqual([id, { path, method }]);
      const ask = (authorization?: string) =>
        fetch(`${server.url}${path}`, { method, headers: { ...(authorization && { authorization }) } });
      const refusal = (await ask(none)).headers.get("www-authenticate");
      const needed = /error="insufficient_scope", scope="(.*?)"/.exec(refusal ?? "")?.[1];
      const isOpen = (await ask()).status !== 401;
      const security = isOpen ? [] : [{ oauth2: needed ? [needed] : [] }, { api_key: [] }];
      expect([path, operationOf(document, id).security]).toEqual([path, security]);
    }
  });

  test.each([
    ["/api/responses", "SurveyResponse"],
    ["/api/questions", "Question"],
  ])("describes every property of the records at %s, and no other", async (path, name) => {
    const { data } = (await (await server.get(path, shop.apiKey)).json()) as { data: object[] };
    const properties = Object.keys(document.components.schemas[name]?.properties ?? {});
    expect(data.length).toBeGreaterThan(0);
    for (const record of data) expect(Object.keys(record)).toEqual(properties);
  });

  test("a list names the parameters that it passed over, by GET and HEAD; there is no such header where all are known", async () => {
    const ask = (url: string, method = "GET") =>
      fetch(`${server.url}${url}`, { method, headers: { authorization: shop.apiKey } });
    const named = async (answer: Promise<Response>) => {
      const { status, headers } = await answer;
      return [status, headers.get("x-ignored-parameters")];
    };
    for (const id of ["listResponses", "listDeletedResponses", "listQuestions"]) {
      const path = operationsIn(document).get(id)?.path;
      const { parameters = [], responses } = operationOf(document, id);
      expect(responses["200"]?.headers?.["x-ignored-parameters"]).toMatchObject({ required: false });
      const url = `${path}?from=yesterday&limit=1&p%C3%A4ge=2&from=1`;
      expect(await named(ask(url))).toEqual([200, "from, p%C3%A4ge"]);
      expect(await named(ask(url, "HEAD"))).toEqual([200, "from, p%C3%A4ge"]);
      expect(await named(ask(`${path}?limit=1`))).toEqual([200, null]);
      for (const { name, example } of parameters.filter(
        ({ name }) => !/^(starting_after|ending_before|after|before|cursor_time)$/.test(name),
      ))
        expect([name, ...(await named(ask(`${path}?${name}=${encodeURIComponent(String(example))}`)))]).toEqual([
          name,
          200,
          null,
        ]);
    }
    const [first] = (
      (await (await ask("/api/responses?limit=1")).json()) as { data: { id: string; inserted_at: string }[] }
    ).data;
    expect(await named(ask(`/api/responses?after=${first?.id}&cursor_time=${first?.inserted_at}`))).toEqual([
      200,
      null,
    ]);
    expect(await named(ask("/api/responses?question_id=7"))).toEqual([200, "question_id"]);
  });
});
