import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import { readConfig as authorizationServer } from "../../../services/authorization-server/src/config.ts";
import { readConfig as resourceServer } from "../../../services/resource-server/src/config.ts";
import { readBackOfficeConfig, readConfig as worker } from "../../../services/worker/src/config.ts";
import { ROOT } from "../../tiers.ts";
import {
  containers,
  HAS_KUBECTL,
  type KubernetesObject,
  type PodContainer,
  render,
  renderEverything,
} from "./render.ts";

const [AUTHORIZATION, RESOURCE] = ["authorization-server", "resource-server"];
const SERVERS = [AUTHORIZATION, RESOURCE];
const REPLICATED = [AUTHORIZATION, "worker", RESOURCE];
const SERVICES = [AUTHORIZATION, "back-office", RESOURCE, "worker"];
/** The seconds that `runService` has for closing (service-runtime/src/process/process.ts). */
const CLOSE_SECONDS = 20;

// biome-ignore lint/suspicious/noExplicitAny: the published schemas check the objects
type Any = any;

const DOCKERFILE = readFileSync(`${ROOT}deploy/Dockerfile`, "utf8");

/** The example's services, with every component, and the services without any. */
let objects: KubernetesObject[] = [];
let first: KubernetesObject[] = [];
let plain: KubernetesObject[] = [];
let all: PodContainer[] = [];

const ofKind = (kind: string) => objects.filter((object) => object.kind === kind);
const named = (kind: string, name: string) =>
  ofKind(kind).find(({ metadata }) => metadata.name === name) ?? expect.fail(`no ${kind} ${name}`);
const service = (name: string) =>
  all.find((one) => one.name === name) ?? expect.fail(`no container ${name}`);

describe.skipIf(!HAS_KUBECTL)("deploy/kubernetes", () => {
  beforeAll(async () => {
    const rendered = await Promise.all([
      render("example/first"),
      render("example/services"),
      renderEverything(),
    ]);
    [first, plain] = rendered;
    objects = [...first, ...rendered[2]];
    all = containers(objects);
  });

  test("every container drops all privileges and has the memory limit of docker-compose.yml", () => {
    expect(all.map(({ name }) => name)).toEqual(expect.arrayContaining([...SERVICES, "migrate"]));
    const locked = {
      pod: {
        automountServiceAccountToken: false,
        enableServiceLinks: false,
        securityContext: {
          runAsNonRoot: true,
          runAsUser: 1000,
          seccompProfile: { type: "RuntimeDefault" },
        },
      },
      container: {
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ["ALL"] },
        },
      },
    };
    const compose = readFileSync(`${ROOT}docker-compose.yml`, "utf8");
    for (const one of all) {
      expect(one, one.name).toMatchObject(locked);
      const variable = SERVICES.includes(one.name)
        ? one.name.toUpperCase().replace("-", "_")
        : "OPERATOR";
      const memory = new RegExp(`\\$\\{${variable}_MEMORY:-(\\d+)m\\}`).exec(compose)?.[1];
      expect(one.container.resources.limits, one.name).toEqual({ memory: `${memory}Mi` });
    }
  });

  test("a secret is mounted as a read-only file and never passed in a variable", () => {
    const secretLike = /_URL$|PASSWORD$|SECRET(?!_FILE$)|TOKEN$/;
    for (const { name, container } of all) {
      const variables: { name: string; value?: string; valueFrom?: object }[] = container.env;
      const values = variables.filter(
        (variable) => secretLike.test(variable.name) && variable.name !== "JWKS_URL",
      );
      expect(values, name).toEqual([]);
      expect(JSON.stringify(container), name).not.toContain("secretKeyRef");
      for (const { value = "" } of variables.filter((variable) =>
        variable.name.endsWith("_FILE"),
      )) {
        const mounts: { mountPath: string; readOnly: boolean }[] = container.volumeMounts;
        expect(mounts.filter(({ mountPath }) => value.startsWith(`${mountPath}/`))).toMatchObject([
          { readOnly: true },
        ]);
      }
    }
  });

  test.each([
    [AUTHORIZATION, authorizationServer],
    [RESOURCE, resourceServer],
    ["worker", worker],
    ["back-office", readBackOfficeConfig],
  ] as const)("the service %s accepts the variables that its manifest sets", (name, readConfig) => {
    const { env, envFrom = [] } =
      containers(plain).find((one) => one.name === name)?.container ?? expect.fail();
    const settings = (of: string) =>
      plain.find(({ kind, metadata }) => kind === "ConfigMap" && metadata.name === of)?.["data"];
    const ports = [...DOCKERFILE.matchAll(/\b((?:INTERNAL_)?PORT)=(\d+)/g)].map(
      ([, port, number]) => [port, number],
    );
    const variables: Record<string, string> = Object.fromEntries(ports);
    for (const { configMapRef } of envFrom) Object.assign(variables, settings(configMapRef.name));
    for (const { name: variable, value, valueFrom } of env) {
      const from = valueFrom?.configMapKeyRef;
      variables[variable] = value ?? settings(from.name)[from.key];
    }
    const secrets = {
      DATABASE_URL: "postgres://service:secret@postgres/partner_connect",
      REDIS_URL: "redis://redis:6379",
      WEBHOOK_KEY: "w".repeat(32),
    };
    for (const [secret, value] of Object.entries(secrets)) {
      if (!variables[`${secret}_FILE`]) continue;
      delete variables[`${secret}_FILE`];
      variables[secret] = value;
    }
    expect(() => readConfig(variables)).not.toThrow();
  });

  test("each service has the runbook's probes, and a termination grace period longer than its drain", () => {
    const probe = (path: string) => ({ httpGet: { path, port: "internal" } });
    for (const name of SERVICES) {
      const { container, pod } = service(name);
      const isServer = SERVERS.includes(name);
      expect(container, name).toMatchObject({
        ...(isServer && { startupProbe: probe("/livez") }),
        livenessProbe: probe("/livez"),
        readinessProbe: probe(isServer ? "/readyz?exclude=postgres&exclude=redis" : "/readyz"),
      });
      const settings =
        isServer && named("ConfigMap", container.envFrom[0].configMapRef.name)["data"];
      const drain = Number(settings ? settings.DRAIN_SECONDS : 0);
      // Within seconds every node knows that an endpoint has gone.
      if (isServer) expect(drain).toBeGreaterThanOrEqual(5);
      expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(drain + CLOSE_SECONDS);
    }
  });

  test.each(REPLICATED)(
    "%s keeps a replica through rollouts, drained nodes and lost zones",
    (name) => {
      const { replicas } = named("Deployment", name)["spec"];
      const least = SERVERS.includes(name)
        ? named("HorizontalPodAutoscaler", name)["spec"].minReplicas
        : replicas;
      expect(least).toBeGreaterThanOrEqual(2);
      expect(named("PodDisruptionBudget", name)["spec"].maxUnavailable).toBe(1);
      const zones = ["topology.kubernetes.io/zone", "kubernetes.io/hostname"].map(
        (topologyKey) => ({ topologyKey }),
      );
      expect(named("Deployment", name)["spec"]).toMatchObject({
        strategy: { rollingUpdate: { maxUnavailable: 0 } },
        template: { spec: { topologySpreadConstraints: zones } },
      });
      if (SERVERS.includes(name)) expect(replicas).toBeUndefined(); // the autoscaler decides
    },
  );

  test("the migration's job is applied separately from the services", () => {
    const jobs = (list: readonly KubernetesObject[]) =>
      list
        .filter(({ kind }) => kind === "Job" || kind === "Deployment")
        .map(({ metadata }) => metadata.name);
    expect([jobs(first), jobs(plain)]).toEqual([["migrate"], SERVICES]);
  });

  test("deploy/Dockerfile builds the image of each container", () => {
    const targets = [...DOCKERFILE.matchAll(/^FROM \S+ AS (\S+)$/gm)].map(([, target]) => target);
    for (const { container } of all) {
      const [, target] =
        /^registry\.example\.com\/partner-connect\/([^:@/]+)/.exec(container.image) ?? [];
      expect(targets).toContain(target);
    }
  });

  /** Where the Caddyfile sends requests. Its own 404 is sent to a service that answers the same. */
  const SENT = `
connect authorization-server / /nothing /apiary /docs /docs/rate-limits /oauth/connections
connect authorization-server /oauth/api/authorize /oauth/api/token
connect authorization-server /.well-known/oauth-authorization-server
connect resource-server /.well-known/oauth-protected-resource /api/responses
connect resource-server /.well-known/oauth-protected-resource/api
auth authorization-server /oauth/api/token /docs/rate-limits /api/responses
auth authorization-server /.well-known/oauth-authorization-server
auth authorization-server /.well-known/oauth-protected-resource
api resource-server /api/responses /.well-known/oauth-protected-resource /oauth/api/token`;

  test("the Gateway API and the Ingress route every path to the same service as the Caddyfile", () => {
    // The redirect to https has no backend.
    const secure = ofKind("HTTPRoute").filter(
      ({ spec }) => spec.parentRefs[0].sectionName === "https",
    );
    type Found = readonly (readonly [host: string, prefix: string, service: string])[];
    const byGateway: Found = secure.flatMap(({ spec }) =>
      spec.hostnames.flatMap((host: string) =>
        spec.rules.flatMap(({ matches, backendRefs }: Record<"matches" | "backendRefs", Any[]>) =>
          matches.map(({ path }) => [host, path.value, backendRefs[0].name]),
        ),
      ),
    );
    const byIngress: Found = ofKind("Ingress")[0]?.["spec"].rules.flatMap(({ host, http }: Any) =>
      http.paths.map(({ path, backend }: Any) => [host, path, backend.service.name]),
    );
    for (const routes of [byGateway, byIngress]) {
      /** The Gateway API and the Ingress match prefixes of whole segments; the longest decides. */
      const serviceOf = (host: string, path: string) =>
        routes
          .filter(
            ([of, prefix]) => of === host && `${path}/`.startsWith(`${prefix}/`.replace("//", "/")),
          )
          .toSorted(([, one], [, other]) => other.length - one.length)[0]?.[2];
      for (const [host, service, ...paths] of SENT.trim()
        .split("\n")
        .map((line) => line.split(" "))) {
        const found = paths.map((path) => [path, serviceOf(`${host}.example.com`, path)]);
        expect(found).toEqual(paths.map((path) => [path, service]));
      }
    }
  });

  test("every object matches its published schema, without unknown fields", {
    timeout: 60_000,
  }, async () => {
    const applied = [...objects, ...(await render("example/stores"))];
    expect(applied.length).toBeGreaterThan(25);
    expect(await typeErrors(applied)).toBe("");
  });
});

/** The published schemas, as types, by the group of the API. */
const PACKAGES: Record<string, string> = {
  "gateway.networking.k8s.io": "@kubernetes-models/gateway-api",
  "monitoring.coreos.com": "@kubernetes-models/prometheus-operator",
};

/** The compiler's errors, unknown fields too, for the objects as literals of their types. */
async function typeErrors(objects: readonly KubernetesObject[]): Promise<string> {
  const cache = fileURLToPath(new URL("../../node_modules/.cache/", import.meta.url));
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, "kubernetes-"));
  const lines = objects.flatMap((object, index) => {
    const { apiVersion, kind } = object;
    const from = `${PACKAGES[apiVersion.split("/")[0] ?? ""] ?? "kubernetes-models"}/${apiVersion}`;
    return [
      `import type { I${kind} as T${index} } from "${from}";`,
      `export const o${index}: T${index} = ${JSON.stringify(object)};`,
    ];
  });
  const options =
    "--ignoreConfig --noEmit --strict --skipLibCheck --module nodenext --target esnext".split(" ");
  try {
    await writeFile(join(folder, "package.json"), '{ "type": "module" }');
    await writeFile(join(folder, "objects.ts"), lines.join("\n"));
    await promisify(execFile)(
      `${ROOT}node_modules/.bin/tsc`,
      [...options, "--types", "", "objects.ts"],
      {
        cwd: folder,
      },
    );
    return "";
  } catch (error) {
    return (error as { stdout: string }).stdout;
  } finally {
    await rm(folder, { recursive: true });
  }
}
