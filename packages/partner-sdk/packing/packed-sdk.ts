import { hash } from "node:crypto";
import { readFileSync } from "node:fs";

/** The package as partners install it. */
export interface PackedSdk {
  readonly bytes: Buffer;
  /** In hexadecimal digits. */
  readonly sha256: string;
  /** As npm's lock files have it. */
  readonly integrity: string;
}

/** Made by `packSdk`: at the start of a local stack, and when an image is built. */
export const PACKED = new URL("../packed/partner-sdk.tgz", import.meta.url);

const MANIFEST = new URL("../package.json", import.meta.url);

export const SDK_VERSION: string = JSON.parse(readFileSync(MANIFEST, "utf8")).version;

/** Null where it was not packed. */
export function packedSdk(): PackedSdk | null {
  try {
    const bytes = readFileSync(PACKED);
    return { bytes, sha256: hash("sha256", bytes), integrity: `sha512-${hash("sha512", bytes, "base64")}` };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}
