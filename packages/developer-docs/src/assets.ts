import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

interface Asset {
  readonly path: string;
  readonly type: string;
  readonly content: Buffer;
}

const ASSETS_PATH = "/docs/assets/";

const BASE = import.meta.resolve("@partner-connect/service-runtime/base.css");
export const STYLESHEET: Asset = asset(
  "text/css; charset=utf-8",
  "docs.css",
  BASE,
  "docs.css",
  "code.css",
  "reference.css",
);
export const SCRIPT: Asset = asset("text/javascript; charset=utf-8", "copy.js", "copy.js");
export const ICON: Asset = asset("image/svg+xml", "icon.svg", "icon.svg");

export const ASSETS: readonly Asset[] = [STYLESHEET, SCRIPT, ICON];

/** It has the name of the first file and the content of all of them. */
function asset(type: string, file: string, ...parts: readonly string[]): Asset {
  const content = Buffer.concat(parts.map((part) => readFileSync(new URL(part, new URL("look/", import.meta.url)))));
  const hash = createHash("sha256").update(content).digest("hex").slice(0, 16);
  return { path: ASSETS_PATH + file.replace(".", `-${hash}.`), type, content };
}

/** The asset that this path names, though its content may differ: during a rolling release it is a newer or an older one. */
export function findAsset(path: string): Asset | undefined {
  return ASSETS.find((asset) => withoutHash(path) === withoutHash(asset.path));
}

function withoutHash(path: string): string {
  return path.replace(/-[0-9a-f]{16}\./, ".");
}
