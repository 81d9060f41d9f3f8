import { pnpm } from "./pnpm.ts";

/** The images of deploy/Dockerfile, by the package that each runs. */
export const IMAGES = {
  "authorization-server": "@partner-connect/authorization-server",
  "resource-server": "@partner-connect/resource-server",
  notifier: "@partner-connect/notifier",
  operator: "@partner-connect/operator-cli",
} as const;
export type ImageName = keyof typeof IMAGES;

export interface Component {
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly licenses?: readonly {
    readonly license?: { readonly id?: string; readonly name?: string };
    readonly expression?: string;
  }[];
  readonly externalReferences?: readonly { readonly hashes?: readonly { readonly content: string }[] }[];
}

/** A bill of materials in CycloneDX's JSON, as far as we read it. */
export interface Sbom {
  readonly bomFormat: "CycloneDX";
  readonly components: readonly Component[];
}

/** @throws with what `pnpm sbom` says, where it fails */
export async function sbom(image: ImageName): Promise<Sbom> {
  const scope = ["--prod", "--filter", `${IMAGES[image]}...`];
  const { code, stdout, stderr } = await pnpm(
    "sbom",
    "--sbom-format",
    "cyclonedx",
    "--sbom-type",
    "application",
    ...scope,
  );
  if (code !== 0) throw new Error(`pnpm sbom: ${stderr}`);
  return JSON.parse(stdout);
}

export function isOurs({ purl }: Component): boolean {
  return purl.startsWith("pkg:npm/%40partner-connect/");
}
