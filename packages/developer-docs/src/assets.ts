import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

/** A file that pages refer to. Its name changes with its content, so browsers may cache it without a limit. */
interface Asset {
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

/** The asset that this path names, though its content may differ: during a rolling release it is a newer or an older one. */
export function findAsset(path: string): Asset | undefined {
  return [STYLESHEET, ICON].find((asset) => withoutHash(path) === withoutHash(asset.path));
}

function withoutHash(path: string): string {
  return path.replace(/-[0-9a-f]{16}\./, ".");
}
