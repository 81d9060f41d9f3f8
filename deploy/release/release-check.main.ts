import { parseArgs } from "node:util";
import { checkAdvisories } from "./advisories.ts";
import { checkBases, checkImages, checkMaterials, checkNotes, checkTree } from "./checks.ts";

const HELP = `Usage: pnpm -s release:check [--images FILE] [--sbom FOLDER]

Says what must still be done before this version is published: deploy/operations/release.md. Exit 1 if something must.

  --images FILE   the kustomization.yaml that names your images (default: the example's, which has no digests)
  --sbom FOLDER   where the bills of materials are written (default: dist/sbom)`;

const { values } = parseArgs({
  options: {
    images: { type: "string", default: "deploy/kubernetes/example/images/kustomization.yaml" },
    sbom: { type: "string", default: "dist/sbom" },
    help: { type: "boolean", short: "h", default: false },
  },
});

if (values.help) {
  console.log(HELP);
} else {
  const checks = [
    checkTree,
    checkNotes,
    () => checkMaterials(values.sbom),
    checkAdvisories,
    checkBases,
    () => checkImages(values.images),
  ];
  for (const check of checks) {
    const { check: name, ok, found, remedy } = await check();
    console.log(`${ok ? "ok    " : "NOT OK"} ${name.padEnd(11)} ${found}${ok ? "" : `\n                   ${remedy}`}`);
    if (!ok) process.exitCode = 1;
  }
}
