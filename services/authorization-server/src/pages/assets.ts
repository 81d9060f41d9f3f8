import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { accentRule, initialIcon, OUR_COLOR, type ProductLogo } from "./product.ts";
import { LISTED } from "./shop-list.ts";

/** A file of the pages. Its name changes with its content, so browsers may cache it forever. */
export interface Asset {
  readonly path: string;
  readonly type: string;
  readonly content: Buffer;
}

export type PageAssets = ReturnType<typeof pageAssets>;

declare module "fastify" {
  interface FastifyInstance {
    readonly pageAssets: PageAssets;
  }
}

export const ASSETS_PATH = "/oauth/assets/";

const STYLES = [
  "./base.css",
  "./merchant-pages.css",
  "./partner-pages.css",
  "../consent/consent.css",
].map(contentOf);

/** Selects the chosen shop's name above the decision. The page may list one more than `LISTED`. */
const CHOSEN = [...Array(LISTED + 1).keys()].map((n) => `:has(#shop-${n}:checked) #for-${n}`);

/** The survey product's brand. `logo` and `color` are null if none is set. */
export interface Product {
  readonly name: string;
  readonly logo: ProductLogo | null;
  readonly color: string | null;
}

/** The assets that all pages share. */
export function pageAssets({ name, logo, color }: Product) {
  const rules = `${CHOSEN.join()}{display:flex}\n${color ? accentRule(color) : ""}`;
  const style = Buffer.concat([...STYLES, Buffer.from(rules)]);
  const stylesheet = asset("text/css; charset=utf-8", "merchant-pages.css", style);
  const icon = logo
    ? asset(logo.type, `logo.${logo.extension}`, logo.content)
    : asset("image/svg+xml", "icon.svg", Buffer.from(initialIcon(name, color ?? OUR_COLOR)));
  return { stylesheet, icon };
}

/** The passkey library for browsers, a file that its package doesn't export. */
const WEBAUTHN = new URL(
  "../dist/bundle/index.umd.min.js",
  import.meta.resolve("@simplewebauthn/browser"),
).href;
export const PASSKEY_SCRIPT = script("passkey.js", WEBAUTHN, "../sign-in/passkeys/passkey.js");

/** The script of the button that shows the typed passwords. */
export const PASSWORDS_SCRIPT = script("show-passwords.js", "../account/show-passwords.js");

/** The script of the partner pages' buttons that copy an id. */
export const COPY_SCRIPT = script("copy.js", "../partner/copy.js");

function script(name: string, ...files: readonly string[]): Asset {
  return asset("text/javascript; charset=utf-8", name, Buffer.concat(files.map(contentOf)));
}

function contentOf(file: string): Buffer {
  return readFileSync(new URL(file, import.meta.url));
}

function asset(type: string, file: string, content: Buffer): Asset {
  const hash = createHash("sha256").update(content).digest("hex").slice(0, 16);
  return { path: ASSETS_PATH + file.replace(".", `-${hash}.`), type, content };
}

/**
 * The asset with this file name. If only the hash differs, `exact` is false: during a rolling
 * release, another replica may have sent the page.
 */
export function findAsset({ stylesheet, icon }: PageAssets, file: string) {
  const path = ASSETS_PATH + file;
  const asset = [stylesheet, icon, PASSKEY_SCRIPT, PASSWORDS_SCRIPT, COPY_SCRIPT].find(
    (each) => withoutHash(each.path) === withoutHash(path),
  );
  return asset && { asset, exact: asset.path === path };
}

function withoutHash(path: string): string {
  return path.replace(/-[0-9a-f]{16}\./, ".");
}
