import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { PACKED } from "./packed-sdk.ts";
import { tarball } from "./tarball.ts";

const PACKAGE = fileURLToPath(new URL("..", import.meta.url));
const FOLDER = fileURLToPath(new URL(".", PACKED));
const COMPILER = createRequire(import.meta.url).resolve("typescript/package.json");
const OF_SOURCES = join(FOLDER, "sources.sha256");

/** Packs the package as it is published, unless what is packed is made of these very sources. Several processes may do so at once. */
export async function packSdk(): Promise<void> {
  const sources = await digestOfSources();
  if ((await readFile(OF_SOURCES, "utf8").catch(() => "")) === sources) return;
  await mkdir(FOLDER, { recursive: true });
  const temporary = await mkdtemp(join(FOLDER, "packing-"));
  try {
    await compile(join(temporary, "dist"));
    await writeFile(join(temporary, "packed"), tarball(await publishedFiles(temporary)));
    await rename(join(temporary, "packed"), PACKED);
    await writeFile(OF_SOURCES, sources);
  } finally {
    await rm(temporary, { recursive: true });
  }
}

async function digestOfSources(): Promise<string> {
  const files = ["package.json", "README.md", "tsconfig.build.json", "../../tsconfig.base.json"];
  for (const folder of ["src", "packing"]) files.push(...(await filesOf(join(PACKAGE, folder), folder)));
  const hash = createHash("sha256").update(await readFile(COMPILER));
  for (const file of files.sort()) hash.update(`${file}\n`).update(await readFile(join(PACKAGE, file)));
  return hash.digest("hex");
}

async function filesOf(folder: string, name: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return files.map((file) => name + file.slice(folder.length));
}

async function compile(folder: string): Promise<void> {
  const tsc = join(dirname(COMPILER), "bin/tsc");
  const run = promisify(execFile)(process.execPath, [tsc, "-p", "tsconfig.build.json", "--outDir", folder], {
    cwd: PACKAGE,
  });
  await run.catch((error) => {
    throw new Error(`the SDK could not be compiled: ${error.stdout || error.message}`);
  });
}

async function publishedFiles(temporary: string): Promise<ReadonlyMap<string, Buffer>> {
  const {
    publishConfig,
    private: _,
    scripts: __,
    devDependencies: ___,
    ...manifest
  } = JSON.parse(await readFile(join(PACKAGE, "package.json"), "utf8"));
  const { access, ...published } = publishConfig;
  const json = JSON.stringify({ ...manifest, ...published, publishConfig: { access } }, null, 2);
  const files = new Map([
    ["package/package.json", Buffer.from(`${json}\n`)],
    ["package/README.md", await readFile(join(PACKAGE, "README.md"))],
  ]);
  for (const file of await filesOf(join(temporary, "dist"), "dist"))
    files.set(`package/${file}`, await readFile(join(temporary, file)));
  return files;
}
