import { hash } from "node:crypto";
import { readFileSync } from "node:fs";

/** The tarball for partners. */
export interface PackedSdk {
  readonly bytes: Buffer;
  /** Hexadecimal. */
  readonly sha256: string;
  /** In the format of npm's lock files. */
  readonly integrity: string;
}

/** The tarball, which `packSdk` creates at the start of a local stack and for an image. */
export const PACKED = new URL("../packed/partner-sdk.tgz", import.meta.url);

const MANIFEST = new URL("../package.json", import.meta.url);

export const SDK_VERSION: string = JSON.parse(readFileSync(MANIFEST, "utf8")).version;

/** Null if `packSdk` has not run. */
export function packedSdk(): PackedSdk | null {
  try {
    const bytes = readFileSync(PACKED);
    return {
      bytes,
      sha256: hash("sha256", bytes),
      integrity: `sha512-${hash("sha512", bytes, "base64")}`,
    };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}
