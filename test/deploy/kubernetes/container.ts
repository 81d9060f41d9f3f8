import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { image } from "./image.ts";
import type { PodContainer } from "./pods.ts";
import type { KubernetesObject } from "./render.ts";

const SCRIPT = fileURLToPath(new URL("container.sh", import.meta.url));
const WORKSPACE = fileURLToPath(new URL("../../../", import.meta.url));

/** What a container needs of its cluster. */
export interface Cluster {
  readonly objects: readonly KubernetesObject[];
  /** The files of each Secret. */
  readonly secrets: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** In place of what the manifests say, as several containers share this machine's ports here. */
  readonly environment?: Readonly<Record<string, string>>;
}

export interface RunningContainer {
  readonly pid: number;
  /** What it has printed. */
  output(): string;
  /** Its exit code, when it has ended. */
  readonly ended: Promise<number | null>;
}

/** Root may make the namespaces that a container has, unless a sandbox forbids it. */
export const CAN_RUN_CONTAINERS =
  process.getuid?.() === 0 && works("unshare", "--mount", "mount", "--make-rprivate", "/");

/** What a volume of a manifest has: the files of a Secret, or some of several; none, if it begins empty. */
// biome-ignore lint/suspicious/noExplicitAny: a manifest, as kubectl prints it
function filesOf(volume: any, { secrets }: Cluster): Readonly<Record<string, string>> {
  if (volume.secret) return secrets[volume.secret.secretName] ?? {};
  const files: Record<string, string> = {};
  for (const { secret } of volume.projected?.sources ?? []) {
    const all = secrets[secret.name] ?? {};
    const items = secret.items ?? Object.keys(all).map((key) => ({ key, path: key }));
    for (const { key, path } of items) files[path] = all[key] ?? "";
  }
  return files;
}

/** Starts what a node would start of this container: image, command, environment, user, files. */
export async function run({ pod, container }: PodContainer, cluster: Cluster): Promise<RunningContainer> {
  const { entrypoint, command, folder, environment } = image(container.image.replace(/^.*\/|[:@].*$/g, ""));
  const root = await mkdtemp(join(tmpdir(), "partner-connect-container-"));
  await chmod(root, 0o755);
  const user: number = pod.securityContext.runAsUser;
  await writeFiles(root, {
    "etc/passwd": `node:x:${user}:${user}::/home/node:/bin/sh\n`,
    "etc/nsswitch.conf": "hosts: files\n",
    "etc/hosts": "127.0.0.1 localhost authorization-server\n",
  });
  for (const { name, mountPath } of container.volumeMounts) {
    const volume = pod.volumes.find((one: { name: string }) => one.name === name);
    await writeFiles(join(root, mountPath), filesOf(volume, cluster), {
      mode: (volume.secret ?? volume.projected)?.defaultMode,
      group: pod.securityContext.fsGroup,
    });
  }
  const variables = {
    PATH: "/opt:/usr/bin",
    ...environment,
    ...fromManifest(container, cluster),
    ...cluster.environment,
  };
  const program = [...(container.command ?? entrypoint), ...(container.args ?? (container.command ? [] : command))];
  const pairs = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
  const started = spawn(
    "unshare",
    [
      "--mount",
      "sh",
      SCRIPT,
      root,
      WORKSPACE,
      process.execPath,
      String(user),
      "env",
      "-i",
      "-C",
      folder,
      ...pairs,
      ...program,
    ],
    { stdio: ["ignore", "pipe", "pipe"] },
  );
  return running(started, root);
}

function running(started: ChildProcess, root: string): RunningContainer {
  let output = "";
  for (const stream of [started.stdout, started.stderr]) stream?.on("data", (chunk) => (output += chunk));
  const ended = once(started, "close").then(async ([code]) => {
    await rm(root, { recursive: true });
    return code as number | null;
  });
  return { pid: started.pid as number, output: () => output, ended };
}

function fromManifest(container: PodContainer["container"], { objects }: Cluster): Record<string, string> {
  const settings = (name: string): Record<string, string> =>
    objects.find(({ kind, metadata }) => kind === "ConfigMap" && metadata.name === name)?.["data"] ?? {};
  const variables: Record<string, string> = {};
  for (const { configMapRef } of container.envFrom ?? []) Object.assign(variables, settings(configMapRef.name));
  for (const { name, value, valueFrom } of container.env) {
    const { configMapKeyRef: from } = valueFrom ?? {};
    variables[name] = value ?? settings(from.name)[from.key] ?? "";
  }
  return variables;
}

interface Owned {
  readonly mode: number;
  readonly group: number;
}

async function writeFiles(folder: string, files: Readonly<Record<string, string>>, owned?: Owned): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
    if (!owned) continue;
    await chown(path, 0, owned.group);
    await chmod(path, owned.mode);
  }
}

function works(program: string, ...args: readonly string[]): boolean {
  try {
    execFileSync(program, args, { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
