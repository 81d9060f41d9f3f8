import { createHash } from "node:crypto";
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
    const digest = (algorithm: string, encoding: "hex" | "base64") =>
      createHash(algorithm).update(bytes).digest(encoding);
    return { bytes, sha256: digest("sha256", "hex"), integrity: `sha512-${digest("sha512", "base64")}` };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}
