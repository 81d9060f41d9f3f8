import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFile, glob, mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { DOCUMENT_FILE, readDocument } from "@partner-connect/contract/openapi";
import { CHANGELOG, guideText, withBaseUrl } from "../src/guides.ts";
import { GUIDES, NAVIGATION } from "../src/navigation.ts";
import { BASE_URL, BUILT, NAME, SUPPORT_URL } from "../src/site.ts";
import { operationLinks, referencePages } from "./reference.ts";

const PACKAGE = fileURLToPath(new URL("..", import.meta.url));
const SDK_README = join(PACKAGE, "../partner-sdk/README.md");
const VITEPRESS = createRequire(import.meta.url).resolve("vitepress/package.json");

/**
 * Builds the site into built/, unless it was built from the same files before. Several processes
 * may do so at once.
 */
export async function buildDocs(): Promise<void> {
  const digest = await digestOfSources();
  const isBuilt = async () =>
    (await readFile(new URL("digest", BUILT), "utf8").catch(() => "")) === digest;
  if (await isBuilt()) return;
  // Below the package, so that the build finds VitePress. Each build has its own folder.
  const root = await mkdtemp(join(PACKAGE, "building-"));
  try {
    const dist = await build(root);
    await writeFile(join(dist, "digest"), digest);
    // A concurrent build may have finished.
    if (await isBuilt()) return;
    await rm(BUILT, { recursive: true, force: true });
    await rename(dist, BUILT).catch((error) => {
      if (error.code !== "ENOTEMPTY") throw error;
    });
  } finally {
    await rm(root, { recursive: true });
  }
}

/** Builds the site below `root`, and returns its folder. */
async function build(root: string): Promise<string> {
  const pages = [
    ...GUIDES.map((name): [string, string] => [`${name}.md`, guideText(name)]),
    ...referencePages(readDocument()),
  ];
  const texts = pages.map(([file, text]): [string, string] => [
    file,
    withBaseUrl(text, BASE_URL).replaceAll("{support_url}", SUPPORT_URL),
  ]);
  const config = join(root, ".vitepress");
  await mkdir(join(root, "reference"));
  await mkdir(join(config, "theme"), { recursive: true });
  for (const file of ["config.ts", "theme/index.js"]) {
    await writeFile(join(config, file), `export { default } from "${PACKAGE}building/${file}";\n`);
  }
  for (const [file, text] of texts) await writeFile(join(root, file), pageText(text));
  const command = [join(dirname(VITEPRESS), "bin/vitepress.js"), "build", root];
  await promisify(execFile)(process.execPath, command, { env: { NODE_ENV: "production" } }).catch(
    (error) => {
      throw new Error(`the documentation could not be built: ${error.stderr || error.message}`);
    },
  );
  const dist = join(config, "dist");
  for (const [file, text] of texts) await writeFile(join(dist, file), text);
  await copyFile(SDK_README, join(dist, "partner-sdk.txt"));
  await writeFile(join(dist, "llms.txt"), llmsText(new Map(texts)));
  const full = texts.map(([file, text]) => `<!-- ${BASE_URL}/docs/${file} -->\n\n${text.trim()}\n`);
  await writeFile(join(dist, "llms-full.txt"), full.join("\n"));
  await writeFile(join(dist, "script-hashes.json"), JSON.stringify(await scriptHashes(dist)));
  return dist;
}

/** Adjacent code blocks that show the same program in several languages. */
const PROGRAM_GROUP = /(?:^```(?:bash|ts|python)(?!.* answer$).*\n(?:(?!```).*\n)+```\n\n?){2,}/gm;
const LABELS: Readonly<Record<string, string>> = {
  bash: "Shell",
  ts: "TypeScript",
  python: "Python",
};

/**
 * A page's Markdown for VitePress: alternative programs as code groups, names above other programs,
 * links relative to its base.
 */
function pageText(markdown: string): string {
  return markdown
    .replace(PROGRAM_GROUP, (blocks) => {
      const languages = [...blocks.matchAll(/^```(\w+)/gm)].map(([, language]) => language);
      if (new Set(languages).size < languages.length) return blocks;
      const titled = blocks.replace(
        /^```(\w+)(?:.*file=(\S+))?.*$/gm,
        (_, language, file) => `\`\`\`${language} [${file ?? LABELS[language]}]`,
      );
      return `::: code-group\n\n${titled}\n:::\n\n`;
    })
    .replaceAll(
      /^( *)```(\w+) (?:file=(\S+)|answer)$/gm,
      (_, indent, language, file = "Answer") => `${indent}*${file}*\n\n${indent}\`\`\`${language}`,
    )
    .replaceAll(/\]\(\/docs(?=[/)#])\/?/g, "](/");
}

/** The format of llmstxt.org: a summary, then links to each page's Markdown. */
function llmsText(texts: ReadonlyMap<string, string>): string {
  const [, about = ""] = (texts.get("overview.md") ?? "").split(/\n{2,}/);
  const items = [
    { text: "All operations", link: "/reference" },
    ...operationLinks().flatMap((group) => group.items),
    { text: "Objects", link: "/reference/objects" },
  ];
  const reference = { text: "API reference", items };
  return [
    `# ${NAME}\n\n> ${about.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, "$1").replaceAll(/\s+/g, " ")}`,
    `All pages in one: [llms-full.txt](${BASE_URL}/docs/llms-full.txt). For programs: [openapi.json](${BASE_URL}/api/openapi.json).`,
    ...[...NAVIGATION, reference].map(({ text, items }) => {
      const lines = items.map(
        (item) => `- [${item.text}](${BASE_URL}/docs/${item.link.slice(1) || "overview"}.md)`,
      );
      return `## ${text}\n\n${lines.join("\n")}`;
    }),
  ].join("\n\n");
}

/** Hashes of all inline scripts, for a Content-Security-Policy. */
async function scriptHashes(dist: string): Promise<string[]> {
  const hashes = new Set<string>();
  for await (const file of glob("**/*.html", { cwd: dist })) {
    const markup = await readFile(join(dist, file), "utf8");
    for (const [, script = ""] of markup.matchAll(/<script(?![^>]* src=)[^>]*>(.*?)<\/script>/gs)) {
      hashes.add(`'sha256-${createHash("sha256").update(script).digest("base64")}'`);
    }
  }
  return [...hashes].sort();
}

async function digestOfSources(): Promise<string> {
  const own = glob(["package.json", "{guides,reference,src,building}/**/*.*"], { cwd: PACKAGE });
  const files = (await Array.fromAsync(own)).filter((file) => !file.endsWith(".test.ts")).sort();
  const hash = createHash("sha256");
  const others = [DOCUMENT_FILE, CHANGELOG].map((url) => fileURLToPath(url));
  for (const file of [VITEPRESS, SDK_README, ...others, ...files]) {
    hash.update(`${file}\n`).update(await readFile(resolve(PACKAGE, file)));
  }
  return hash.digest("hex");
}

// This runs when an image is built.
if (import.meta.main) await buildDocs();
