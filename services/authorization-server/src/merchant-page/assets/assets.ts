import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { CHOSEN_SHOP_CSS } from "../../consent/styles/chosen-shop.css.ts";

/** A file that pages refer to. Its name changes with its content, so browsers may cache it without a limit. */
export interface Asset {
  readonly path: string;
  readonly type: string;
  readonly content: Buffer;
}

export const ASSETS_PATH = "/oauth/assets/";

const CONSENT = "../../consent/styles";
const STYLES = [
  import.meta.resolve("@partner-connect/service-runtime/base.css"),
  "./merchant-pages.css",
  `${CONSENT}/consent.css`,
  `${CONSENT}/consent-facts.css`,
  `${CONSENT}/consent-shops.css`,
];

export const STYLESHEET: Asset = asset("text/css; charset=utf-8", "merchant-pages.css", [
  ...STYLES.map(contentOf),
  Buffer.from(CHOSEN_SHOP_CSS),
]);
export const ICON: Asset = asset("image/svg+xml", "icon.svg", [contentOf("./icon.svg")]);

function contentOf(file: string): Buffer {
  return readFileSync(new URL(file, import.meta.url));
}

function asset(type: string, file: string, parts: readonly Buffer[]): Asset {
  const content = Buffer.concat(parts);
  const hash = createHash("sha256").update(content).digest("hex").slice(0, 16);
  return { path: ASSETS_PATH + file.replace(".", `-${hash}.`), type, content };
}

/**
 * The asset with this file name. `exact` is false if only the hash differs: during a rolling release, another replica may have sent the
 * page.
 */
export function findAsset(file: string): { readonly asset: Asset; readonly exact: boolean } | null {
  for (const asset of [STYLESHEET, ICON]) {
    if (ASSETS_PATH + file === asset.path) return { asset, exact: true };
    if (withoutHash(ASSETS_PATH + file) === withoutHash(asset.path)) return { asset, exact: false };
  }
  return null;
}

function withoutHash(path: string): string {
  return path.replace(/-[0-9a-f]{16}\./, ".");
}
