import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFile, glob, mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { create } from "tar";
import { PACKED, packedSdk, SDK_VERSION } from "./packed-sdk.ts";

const PACKAGE = fileURLToPath(new URL("..", import.meta.url));
const FOLDER = fileURLToPath(new URL(".", PACKED));
const COMPILER = createRequire(import.meta.url).resolve("typescript/package.json");
const DIGEST = join(FOLDER, "sources.sha256");

/**
 * Packs the package as it is published, unless these sources are already packed. Concurrent calls
 * are safe.
 */
export async function packSdk(): Promise<void> {
  const digest = await digestOfSources();
  if ((await readFile(DIGEST, "utf8").catch(() => "")) === digest) return;
  await mkdir(FOLDER, { recursive: true });
  const temporary = await mkdtemp(join(FOLDER, "packing-"));
  try {
    const content = join(temporary, "package");
    const tsc = join(dirname(COMPILER), "bin/tsc");
    const compile = [tsc, "-p", "tsconfig.build.json", "--outDir", join(content, "dist")];
    await promisify(execFile)(process.execPath, compile, { cwd: PACKAGE }).catch((error) => {
      throw new Error(`the SDK could not be compiled: ${error.stdout || error.message}`);
    });
    const {
      private: _,
      scripts,
      devDependencies,
      publishConfig,
      ...manifest
    } = await packageJson();
    const { access, ...published } = publishConfig;
    const json = JSON.stringify({ ...manifest, ...published, publishConfig: { access } }, null, 2);
    await writeFile(join(content, "package.json"), `${json}\n`);
    for (const file of ["README.md", "LICENSE"])
      await copyFile(join(PACKAGE, file), join(content, file));
    const files = await Array.fromAsync(glob("package/**/*.*", { cwd: temporary }));
    // A fixed time, so that the tarball's bytes are reproducible. `npm pack` uses the same one.
    const fixed = { portable: true, mtime: new Date("1985-10-26T08:15:00Z") };
    const packed = join(temporary, "packed");
    await create(
      { cwd: temporary, file: packed, gzip: true, ...fixed },
      [...files, "package/LICENSE"].sort(),
    );
    await rename(packed, PACKED);
    await writeFile(DIGEST, digest);
  } finally {
    await rm(temporary, { recursive: true });
  }
}

const packageJson = async () => JSON.parse(await readFile(join(PACKAGE, "package.json"), "utf8"));

async function digestOfSources(): Promise<string> {
  const patterns = [
    "package.json",
    "README.md",
    "LICENSE",
    "tsconfig.build.json",
    "{src,packing}/**/*.ts",
  ];
  const files = await Array.fromAsync(glob(patterns, { cwd: PACKAGE }));
  const hash = createHash("sha256").update(await readFile(COMPILER));
  for (const file of [...files, "../../tsconfig.base.json"].sort()) {
    hash.update(`${file}\n`).update(await readFile(join(PACKAGE, file)));
  }
  return hash.digest("hex");
}

// `pnpm --filter @partner-connect/partner-sdk pack-sdk` runs this for an image or a publication.
if (import.meta.main) {
  await packSdk();
  console.log(`${fileURLToPath(PACKED)} ${SDK_VERSION} ${packedSdk()?.integrity}`);
}
