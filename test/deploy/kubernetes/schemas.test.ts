import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { HAS_KUBECTL, type KubernetesObject, render, renderEverything } from "./render.ts";

/** The published schemas, as validators and as types, by the group of the API. */
const PACKAGES: Record<string, string> = {
  "gateway.networking.k8s.io": "@kubernetes-models/gateway-api",
  "monitoring.coreos.com": "@kubernetes-models/prometheus-operator",
};

const moduleOf = ({ apiVersion }: KubernetesObject): string =>
  `${PACKAGES[apiVersion.split("/")[0] ?? ""] ?? "kubernetes-models"}/${apiVersion}`;

interface Model {
  validate(): void;
}

async function problems(object: KubernetesObject): Promise<string[]> {
  const models: Record<string, new (data: object) => Model> = await import(moduleOf(object));
  const Class = models[object.kind] ?? expect.fail(`no schema of ${object.kind}`);
  try {
    new Class(object).validate();
    return [];
  } catch (error) {
    return [`${object.kind} ${object.metadata.name}: ${(error as Error).message}`];
  }
}

/** The compiler's errors for the objects as literals of their types. It also finds unknown fields, which the schemas allow. */
async function typeErrors(objects: readonly KubernetesObject[]): Promise<string> {
  const cache = fileURLToPath(new URL("../../node_modules/.cache/", import.meta.url));
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, "kubernetes-"));
  const lines = objects.flatMap((object, index) => [
    `import type { I${object.kind} as T${index} } from "${moduleOf(object)}";`,
    `export const o${index}: T${index} = ${JSON.stringify(object)};`,
  ]);
  const options = [
    "--noEmit",
    "--strict",
    "--skipLibCheck",
    "--types",
    "",
    ..."--module nodenext --target esnext".split(" "),
  ];
  try {
    await writeFile(join(folder, "package.json"), '{ "type": "module" }');
    await writeFile(join(folder, "objects.ts"), lines.join("\n"));
    const compiler = fileURLToPath(new URL("../../../node_modules/.bin/tsc", import.meta.url));
    await promisify(execFile)(compiler, ["--ignoreConfig", ...options, "objects.ts"], { cwd: folder });
    return "";
  } catch (error) {
    return (error as { stdout: string }).stdout;
  } finally {
    await rm(folder, { recursive: true });
  }
}

test.skipIf(!HAS_KUBECTL)(
  "every object of deploy/kubernetes is what the published schemas say, and has no other field",
  { timeout: 60_000 },
  async () => {
    const folders = await Promise.all([render("example/first"), render("example/stores"), renderEverything()]);
    const objects = folders.flat();
    expect(objects.length).toBeGreaterThan(25);
    expect((await Promise.all(objects.map(problems))).flat()).toEqual([]);
    expect(await typeErrors(objects)).toBe("");
  },
);
