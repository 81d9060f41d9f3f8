import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

/** A file that pages refer to. Its name changes with its content, so browsers may cache it without a limit. */
export interface Asset {
  readonly path: string;
  readonly type: string;
  readonly content: Buffer;
}

const ASSETS_PATH = "/docs/assets/";

export const STYLESHEET: Asset = asset("text/css; charset=utf-8", "docs.css", "code.css", "reference.css");
export const ICON: Asset = asset("image/svg+xml", "icon.svg");

/** It has the name of the first file and the content of all of them. */
function asset(type: string, file: string, ...more: readonly string[]): Asset {
  const content = Buffer.concat([file, ...more].map((name) => readFileSync(new URL(`look/${name}`, import.meta.url))));
  const hash = createHash("sha256").update(content).digest("hex").slice(0, 16);
  return { path: ASSETS_PATH + file.replace(".", `-${hash}.`), type, content };
}

/** The asset that this path names, with this content or, during a rolling release, with a newer or older one. */
export function findAsset(path: string): { readonly asset: Asset; readonly exact: boolean } | null {
  for (const asset of [STYLESHEET, ICON]) {
    if (path === asset.path) return { asset, exact: true };
    if (withoutHash(path) === withoutHash(asset.path)) return { asset, exact: false };
  }
  return null;
}

function withoutHash(path: string): string {
  return path.replace(/-[0-9a-f]{16}\./, ".");
}
