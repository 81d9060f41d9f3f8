import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import {
  ACCESS_TOKEN_SECONDS,
  BYTES,
  CITUS_CPU_MS,
  CPU_MS,
  NOTIFIERS,
  POSTGRES_CONNECTIONS,
} from "../../deploy/operations/sizing/measured.ts";
import { readPage, writtenPage } from "../../deploy/operations/sizing/page.ts";
import { needs, readyConnections } from "../../deploy/operations/sizing/tables.ts";
import { HAS_KUBECTL } from "./kubernetes/kubectl.ts";
import { type KubernetesObject, render } from "./kubernetes/render.ts";

const source = (name: string) => readFileSync(new URL(`../../${name}`, import.meta.url), "utf8");

test("the tables of scaling.md follow from the measured figures: otherwise run 'pnpm sizing'", () => {
  expect(readPage()).toBe(writtenPage(readPage()));
});

test("scaling.md shows the figures that its tables are worked out from", () => {
  const figures = [
    ...Object.values(BYTES).map((bytes) => bytes.toLocaleString("en-US")),
    ...Object.values(CPU_MS).flatMap(Object.values),
  ];
  expect(figures.filter((figure) => !readPage().includes(`| ${figure} |`))).toEqual([]);
});

test("the column of a cluster is worked out from what cluster.md shows", () => {
  const { page, refresh } = CITUS_CPU_MS;
  const costs = source("deploy/operations/cluster.md");
  expect(costs).toMatch(new RegExp(`\\| another worker \\|[^\\n]*\\| ${page.service} \\| ${page.postgres} \\|\\n`));
  expect(costs).toMatch(new RegExp(`\\| a worker \\|[^\\n]*\\| ${refresh.postgres} \\|\\n`));
  const use = { refreshEvery: 3600, pages: 2 };
  expect(needs(100_000_000, use).postgresCores).toBeCloseTo(
    (10_000 * 3 * (refresh.postgres + 2 * page.postgres)) / 360,
    5,
  );
});

test("the first wall is where it is said to be", () => {
  expect(readyConnections(ACCESS_TOKEN_SECONDS)).toBe(150);
  expect(readyConnections(ACCESS_TOKEN_SECONDS - 60)).toBe(140);
  expect(readyConnections(3600)).toBe(600);
  expect(needs(150, { refreshEvery: ACCESS_TOKEN_SECONDS, pages: 0 }).addresses).toBe(1);
  expect(needs(151, { refreshEvery: ACCESS_TOKEN_SECONDS, pages: 0 }).addresses).toBe(2);
  expect(source("services/authorization-server/src/config.ts")).toContain('"TOKEN_RATE_LIMIT", { fallback: 10');
});

test("a replica opens as many connections to Postgres as the page says", () => {
  const main = source("services/authorization-server/src/main.ts");
  expect(main).toContain(`connections: ${POSTGRES_CONNECTIONS.authorizationServer},`);
  expect(source("services/notifier/src/main.ts")).toMatch(
    /^const CONNECTIONS = 2;[\s\S]+^const SENDING_CONNECTIONS = 2;[\s\S]+\bconnections: 1,/m,
  );
  expect(POSTGRES_CONNECTIONS.notifier).toBe(2 + 2 + 1);
  const databases = source("services/resource-server/src/stores/open-databases.ts");
  const opened = [...databases.matchAll(/^const (?:\w+_)?CONNECTIONS = (\d+)/gm)].map(([, count]) => Number(count));
  expect(opened.reduce((sum, count) => sum + count, 0)).toBe(POSTGRES_CONNECTIONS.resourceServer);
});

describe.skipIf(!HAS_KUBECTL)("deploy/kubernetes", () => {
  let objects: KubernetesObject[] = [];
  beforeAll(async () => {
    objects = await render("example/services");
  });

  test("the autoscalers' most takes the connections that the page says", () => {
    const most = (name: string): number =>
      objects.find(({ kind, metadata }) => kind === "HorizontalPodAutoscaler" && metadata.name === name)?.["spec"]
        .maxReplicas;
    const notifiers = objects.find(({ kind, metadata }) => kind === "Deployment" && metadata.name === "notifier");
    expect(notifiers?.["spec"].replicas).toBe(NOTIFIERS);
    const { authorizationServer, resourceServer, notifier } = POSTGRES_CONNECTIONS;
    const servers = most("authorization-server") * authorizationServer + most("resource-server") * resourceServer;
    const sessions = servers + NOTIFIERS * notifier;
    expect(readPage().replaceAll(/\s+/g, " ")).toContain(`(10 and 20 replicas) and two notifiers are ${sessions}:`);
    expect([most("authorization-server"), most("resource-server")]).toEqual([10, 20]);
    expect(source("deploy/kubernetes/README.md")).toContain(`are ${sessions} connections to Postgres`);
  });
});
