import { buildDocs } from "@partner-connect/developer-docs/building";
import { expectHeadLikeGet, routesOf } from "@partner-connect/service-runtime/testing";
import { expect, test } from "vitest";
import { AUTHORIZE_PATH, REVOCATION_PATH, TOKEN_BATCH_PATH, TOKEN_PATH } from "./protocol.ts";
import { suiteReplicas } from "./testing/replicas.ts";

const POSTED: string[] = [AUTHORIZE_PATH, TOKEN_PATH, TOKEN_BATCH_PATH, REVOCATION_PATH];

await buildDocs();
const replicas = await suiteReplicas(1);
const url = await replicas.app().listen({ host: "127.0.0.1", port: 0 });

test("HEAD on every GET route except authorize responds as GET does, without the body", async () => {
  const routes = routesOf(replicas.app()).filter(({ method }) => method === "GET");
  const paths = routes.map(({ path }) => path).filter((path) => !POSTED.includes(path));
  expect(paths.length).toBeGreaterThan(25);
  const statuses = await Promise.all(
    paths.map((path) => expectHeadLikeGet(url + path.replace(/:\w+/g, "x").replace("*", "errors"))),
  );
  expect(new Set(statuses)).toEqual(new Set([200, 302, 303, 308, 401, 404, 410]));
});

test("HEAD responds as GET does, without the body, even for compressed and 304 responses", async () => {
  const docs = await fetch(`${url}/docs/errors`, { headers: { "accept-encoding": "identity" } });
  expect(
    await expectHeadLikeGet(`${url}/docs/errors`, {
      "if-none-match": docs.headers.get("etag") ?? "",
    }),
  ).toBe(304);
  expect(await expectHeadLikeGet(`${url}/docs/errors`, { "accept-encoding": "gzip" })).toBe(200);
  expect(await expectHeadLikeGet(`${url}/none`)).toBe(404);
});
