import { execFileSync, spawnSync } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Finding } from "./finding.ts";
import { licenceProblems } from "./licences.ts";
import { unpinnedImages } from "./pinned-images.ts";
import { releaseNotes } from "./release-notes.ts";
import { IMAGES, type ImageName, sbom } from "./sbom.ts";

const NAMES = Object.keys(IMAGES) as ImageName[];
const root = (name: string) => new URL(`../../${name}`, import.meta.url);

/** Nothing is published that isn't committed. */
export async function checkTree(): Promise<Finding> {
  const changed = execFileSync("git", ["status", "--porcelain"], { cwd: root("."), encoding: "utf8" }).trim();
  const found = changed ? `${changed.split("\n").length} files differ from the commit` : "all is committed";
  return { check: "tree", ok: changed === "", found, remedy: "commit, or put aside" };
}

/** The version has its notes, and nothing waits for the next one. */
export async function checkNotes(): Promise<Finding> {
  const { version } = JSON.parse(await readFile(root("package.json"), "utf8"));
  const changelog = await readFile(root("CHANGELOG.md"), "utf8");
  const notes = (name: string): boolean => {
    try {
      return releaseNotes(changelog, name) !== "";
    } catch {
      return false;
    }
  };
  const isWhole = notes(version) && !notes("Unreleased");
  const found = isWhole ? `${version} has notes` : `${version} has no notes, or some stand under Unreleased`;
  return { check: "notes", ok: isWhole, found, remedy: "give Unreleased in CHANGELOG.md its version and date" };
}

export async function checkMaterials(folder: string): Promise<Finding> {
  await mkdir(folder, { recursive: true });
  const problems: string[] = [];
  let count = 0;
  for (const name of NAMES) {
    const bill = await sbom(name);
    await writeFile(join(folder, `${name}.cdx.json`), `${JSON.stringify(bill, null, 2)}\n`);
    problems.push(...licenceProblems(bill));
    count += bill.components.length;
  }
  const found =
    problems.length > 0 ? problems.join("; ") : `${count} components in ${NAMES.length} images, in ${folder}`;
  return {
    check: "materials",
    ok: problems.length === 0,
    found,
    remedy: "replace the package, or say in licences.ts why",
  };
}

/** What our images are built on is what was tested. */
export async function checkBases(): Promise<Finding> {
  const { status, stderr } = spawnSync("sh", ["deploy/pin-images", "--check"], { cwd: root("."), encoding: "utf8" });
  const found = status === 0 ? "all have a digest" : stderr.trim().replaceAll("\n", "; ");
  return { check: "bases", ok: status === 0, found, remedy: "deploy/pin-images >> .env" };
}

/** Each image that an overlay installs is named by its digest. */
export async function checkImages(kustomization: string): Promise<Finding> {
  const unpinned = unpinnedImages(await readFile(kustomization, "utf8"), NAMES);
  const found = unpinned.length > 0 ? `without a digest: ${unpinned.join(", ")}` : "all have a digest";
  return {
    check: "images",
    ok: unpinned.length === 0,
    found,
    remedy: `kustomize edit set image …@sha256:…, in ${kustomization}`,
  };
}
