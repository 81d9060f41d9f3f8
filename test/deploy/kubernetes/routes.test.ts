import { beforeAll, describe, expect, test } from "vitest";
import { HAS_KUBECTL, type KubernetesObject, renderEverything } from "./render.ts";

interface Route {
  readonly host: string;
  readonly prefix: string;
  readonly service: string;
}

const AUTHORIZATION = "authorization-server";
const RESOURCE = "resource-server";
const [BASE, AUTH, API] = ["connect.example.com", "auth.example.com", "api.example.com"];

/** As deploy/gateway/Caddyfile sends them, and what it answers itself goes to a service that says the same 404. */
const EXPECTED: readonly (readonly [host: string, path: string, service: string])[] = [
  [BASE, "/", AUTHORIZATION],
  [BASE, "/docs", AUTHORIZATION],
  [BASE, "/docs/rate-limits", AUTHORIZATION],
  [BASE, "/oauth/api/authorize", AUTHORIZATION],
  [BASE, "/oauth/api/token", AUTHORIZATION],
  [BASE, "/oauth/connections", AUTHORIZATION],
  [BASE, "/.well-known/oauth-authorization-server", AUTHORIZATION],
  [BASE, "/.well-known/oauth-protected-resource", RESOURCE],
  [BASE, "/.well-known/oauth-protected-resource/api", RESOURCE],
  [BASE, "/api/responses", RESOURCE],
  [BASE, "/apiary", AUTHORIZATION],
  [BASE, "/nothing", AUTHORIZATION],
  [AUTH, "/oauth/api/token", AUTHORIZATION],
  [AUTH, "/docs/rate-limits", AUTHORIZATION],
  [AUTH, "/.well-known/oauth-authorization-server", AUTHORIZATION],
  [AUTH, "/.well-known/oauth-protected-resource", AUTHORIZATION],
  [AUTH, "/api/responses", AUTHORIZATION],
  [API, "/api/responses", RESOURCE],
  [API, "/.well-known/oauth-protected-resource", RESOURCE],
  [API, "/oauth/api/token", RESOURCE],
];

/** Both kinds of routes match prefixes of whole segments, and the longest decides. */
function serviceOf(routes: readonly Route[], host: string, path: string): string | undefined {
  const matching = routes.filter(
    (route) => route.host === host && (path === route.prefix || path.startsWith(`${route.prefix.replace(/\/$/, "")}/`)),
  );
  return matching.sort((one, other) => other.prefix.length - one.prefix.length)[0]?.service;
}

/** The routes with a backend: the redirect to https has none. */
function gatewayRoutes(objects: readonly KubernetesObject[]): Route[] {
  const routes = objects.filter(({ kind, spec }) => kind === "HTTPRoute" && spec.parentRefs[0].sectionName === "https");
  return routes.flatMap(({ spec }) =>
    spec.hostnames.flatMap((host: string) =>
      spec.rules.flatMap(({ matches, backendRefs }: { matches: []; backendRefs: [{ name: string }] }) =>
        matches.map(({ path }: { path: { value: string } }) => ({
          host,
          prefix: path.value,
          service: backendRefs[0].name,
        })),
      ),
    ),
  );
}

function ingressRoutes(objects: readonly KubernetesObject[]): Route[] {
  const ingress = objects.find(({ kind }) => kind === "Ingress");
  return ingress?.["spec"].rules.flatMap(({ host, http }: { host: string; http: { paths: [] } }) =>
    http.paths.map(({ path, backend }: { path: string; backend: { service: { name: string } } }) => ({
      host,
      prefix: path,
      service: backend.service.name,
    })),
  );
}

let objects: KubernetesObject[] = [];

describe.skipIf(!HAS_KUBECTL)("the way in", () => {
  beforeAll(async () => {
    objects = await renderEverything();
  });

  test.each([
    ["the Gateway API", gatewayRoutes],
    ["the Ingress", ingressRoutes],
  ])("%s sends every path where our gateway sends it", (_, routesOf) => {
    const routes = routesOf(objects);
    expect(EXPECTED.map(([host, path]) => [host, path, serviceOf(routes, host, path)])).toEqual(EXPECTED);
  });

  test("no route of the API is cut off while its reader reads", () => {
    const rules = objects.filter(({ kind }) => kind === "HTTPRoute").flatMap(({ spec }) => spec.rules);
    const limits = rules.flatMap(({ backendRefs, timeouts }) =>
      backendRefs ? [[backendRefs[0].name, timeouts.request]] : [],
    );
    expect(new Set(limits.map(String))).toEqual(new Set([`${AUTHORIZATION},40s`, `${RESOURCE},0s`]));
  });
});
