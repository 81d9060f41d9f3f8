import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { readConfig as authorizationServer } from "../../../services/authorization-server/src/config.ts";
import { readConfig as resourceServer } from "../../../services/resource-server/src/config.ts";
import { readBackOfficeConfig, readConfig as worker } from "../../../services/worker/src/config.ts";
import {
  containers,
  HAS_KUBECTL,
  type KubernetesObject,
  type PodContainer,
  render,
  renderEverything,
} from "./render.ts";

const SERVERS = ["authorization-server", "resource-server"];
const SERVICES = ["authorization-server", "worker", "resource-server"];
/** The time that `runService` gives the close after the pause (packages/service-runtime/src/process/process.ts). */
const CLOSE_SECONDS = 20;

let objects: KubernetesObject[] = [];
let all: PodContainer[] = [];

const ofKind = (kind: string) => objects.filter((object) => object.kind === kind);
const named = (kind: string, name: string) =>
  ofKind(kind).find(({ metadata }) => metadata.name === name) ?? expect.fail(`no ${kind} ${name}`);
const service = (name: string) => all.find((one) => one.name === name) ?? expect.fail(`no container ${name}`);

describe.skipIf(!HAS_KUBECTL)("deploy/kubernetes", () => {
  beforeAll(async () => {
    objects = (await Promise.all([render("example/first"), renderEverything()])).flat();
    all = containers(objects);
  });

  test("no container has a right that it doesn't need", () => {
    expect(all.map(({ name }) => name)).toEqual(expect.arrayContaining([...SERVICES, "back-office", "migrate"]));
    const locked = {
      pod: {
        automountServiceAccountToken: false,
        enableServiceLinks: false,
        securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: "RuntimeDefault" } },
      },
      container: {
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ["ALL"] },
        },
      },
    };
    for (const one of all) expect(one, one.name).toMatchObject(locked);
  });

  test("every container has a limit of memory, the services docker-compose.yml's, and none of CPU", () => {
    const compose = readFileSync(new URL("../../../docker-compose.yml", import.meta.url), "utf8");
    for (const { name, container } of all) {
      const isService = name === "back-office" || SERVICES.includes(name);
      const variable = isService ? name.toUpperCase().replace("-", "_") : "OPERATOR";
      const limit = new RegExp(`\\$\\{${variable}_MEMORY:-(\\d+)m\\}`).exec(compose)?.[1];
      expect(container.resources.limits, name).toEqual({ memory: `${limit}Mi` });
    }
  });

  test("a secret is a file of a Secret, and no variable", () => {
    const secretLike = /_URL$|PASSWORD$|SECRET(?!_FILE$)|TOKEN$/;
    for (const { name, container } of all) {
      const variables: { name: string; value?: string; valueFrom?: object }[] = container.env;
      const values = variables.filter((variable) => secretLike.test(variable.name) && variable.name !== "JWKS_URL");
      expect(values, name).toEqual([]);
      expect(JSON.stringify(container), name).not.toContain("secretKeyRef");
      for (const { value = "" } of variables.filter((variable) => variable.name.endsWith("_FILE"))) {
        const mounts: { mountPath: string; readOnly: boolean }[] = container.volumeMounts;
        expect(mounts.filter(({ mountPath }) => value.startsWith(`${mountPath}/`))).toMatchObject([{ readOnly: true }]);
      }
    }
  });

  test.each([
    ["authorization-server", authorizationServer],
    ["resource-server", resourceServer],
    ["worker", worker],
    ["back-office", readBackOfficeConfig],
  ] as const)("%s reads the variables that its manifest gives it, with nothing missing", async (name, readConfig) => {
    const plain = await render("example/services");
    const { env, envFrom = [] } = containers(plain).find((one) => one.name === name)?.container ?? expect.fail();
    const settings = (of: string) =>
      plain.find(({ kind, metadata }) => kind === "ConfigMap" && metadata.name === of)?.["data"];
    const dockerfile = readFileSync(new URL("../../../deploy/Dockerfile", import.meta.url), "utf8");
    const ports = [...dockerfile.matchAll(/\b((?:INTERNAL_)?PORT)=(\d+)/g)].map(([, port, number]) => [port, number]);
    const variables: Record<string, string> = Object.fromEntries(ports);
    for (const { configMapRef } of envFrom) Object.assign(variables, settings(configMapRef.name));
    for (const { name: variable, value, valueFrom } of env) {
      const from = valueFrom?.configMapKeyRef;
      variables[variable] = value ?? settings(from.name)[from.key];
    }
    /** The contents of the Secrets. */
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

  test.each(SERVERS)("%s is asked for its health as the runbook says, and has time to end", (name) => {
    const { container, pod } = service(name);
    const probe = (path: string) => ({ httpGet: { path, port: "internal" } });
    expect(container).toMatchObject({
      startupProbe: probe("/livez"),
      livenessProbe: probe("/livez"),
      readinessProbe: probe("/readyz?exclude=postgres&exclude=redis"),
      ports: [
        { name: "http", containerPort: 3000 },
        { name: "internal", containerPort: 9000 },
      ],
    });
    const settings = ofKind("ConfigMap").find(
      ({ metadata }) => metadata.name === container.envFrom[0].configMapRef.name,
    );
    const drain = Number(settings?.["data"].DRAIN_SECONDS);
    // An endpoint that has gone is known everywhere within seconds.
    expect(drain).toBeGreaterThanOrEqual(5);
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(drain + CLOSE_SECONDS);
  });

  test.each(["worker", "back-office"])("the %s is ready when Postgres is, and has time to end", (name) => {
    const { container, pod } = service(name);
    expect(container).toMatchObject({
      livenessProbe: { httpGet: { path: "/livez", port: "internal" } },
      readinessProbe: { httpGet: { path: "/readyz", port: "internal" } },
      ports: [
        { name: "internal", containerPort: 9000 },
        ...(name === "back-office" ? [{ name: "internal-api", containerPort: 3000 }] : []),
      ],
    });
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(CLOSE_SECONDS);
  });

  test.each(SERVICES)("%s keeps a replica through rollouts, drained nodes and lost zones", (name) => {
    const { replicas } = named("Deployment", name)["spec"];
    const least = SERVERS.includes(name) ? named("HorizontalPodAutoscaler", name)["spec"].minReplicas : replicas;
    expect(least).toBeGreaterThanOrEqual(2);
    expect(named("PodDisruptionBudget", name)["spec"].maxUnavailable).toBe(1);
    expect(named("Deployment", name)["spec"]).toMatchObject({
      strategy: { rollingUpdate: { maxUnavailable: 0 } },
      template: {
        spec: {
          topologySpreadConstraints: [
            { topologyKey: "topology.kubernetes.io/zone" },
            { topologyKey: "kubernetes.io/hostname" },
          ],
        },
      },
    });
    if (SERVERS.includes(name)) expect(replicas).toBeUndefined(); // the autoscaler's to say
  });

  test("the migration's job is not among the services, whose pods start after it", async () => {
    const jobs = (list: readonly KubernetesObject[]) =>
      list.filter(({ kind }) => kind === "Job" || kind === "Deployment");
    expect(jobs(await render("example/first")).map(({ metadata }) => metadata.name)).toEqual(["migrate"]);
    expect(jobs(await render("example/services")).map(({ metadata }) => metadata.name)).toEqual(
      [...SERVICES, "back-office"].sort(),
    );
  });

  test("the image of each container is one that deploy/Dockerfile makes", () => {
    const dockerfile = readFileSync(new URL("../../../deploy/Dockerfile", import.meta.url), "utf8");
    const targets = [...dockerfile.matchAll(/^FROM \S+ AS (\S+)$/gm)].map(([, target]) => target);
    const images = parse(
      readFileSync(new URL("../../../deploy/kubernetes/example/images/kustomization.yaml", import.meta.url), "utf8"),
    ).images as { name: string }[];
    expect(targets).toEqual(expect.arrayContaining(images.map(({ name }) => name.replace("partner-connect/", ""))));
    for (const { container } of all) expect(container.image).toMatch(/^registry\.example\.com\/partner-connect\//);
  });
});
