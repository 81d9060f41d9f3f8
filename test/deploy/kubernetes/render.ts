import { readdirSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { parseAllDocuments } from "yaml";
import { kustomize } from "./kubectl.ts";

const FOLDER = fileURLToPath(new URL("../../../deploy/kubernetes/", import.meta.url));

/** An object as it is sent to Kubernetes. */
export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  // biome-ignore lint/suspicious/noExplicitAny: its kind says what it is, and the schemas are checked in schemas.test.ts
  readonly [field: string]: any;
}

/** The objects of one folder of deploy/kubernetes. */
export async function render(folder: string): Promise<KubernetesObject[]> {
  return parse(await kustomize(join(FOLDER, folder)));
}

/** The example's services, with every component, Gateway API and Ingress side by side. */
export async function renderEverything(): Promise<KubernetesObject[]> {
  const overlay = await mkdtemp(join(tmpdir(), "partner-connect-overlay-"));
  try {
    const path = (name: string) => relative(overlay, join(FOLDER, name));
    const used = ["components/gateway-api", "components/monitoring"];
    const others = readdirSync(join(FOLDER, "components"))
      .map((name) => `components/${name}`)
      .filter((name) => !used.includes(name));
    const text = {
      apiVersion: "kustomize.config.k8s.io/v1beta1",
      kind: "Kustomization",
      namespace: "partner-connect",
      resources: [path("example/services")],
      components: others.map(path),
    };
    await writeFile(join(overlay, "kustomization.yaml"), JSON.stringify(text));
    return parse(await kustomize(overlay));
  } finally {
    await rm(overlay, { recursive: true });
  }
}

/** YAML 1.1, as Kubernetes reads it. */
function parse(text: string): KubernetesObject[] {
  return parseAllDocuments(text, { version: "1.1" }).map((document) => document.toJS() as KubernetesObject);
}
