import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { extname } from "node:path";
import { gzipSync } from "node:zlib";
import { packedSdk, SDK_VERSION } from "@partner-connect/partner-sdk/packed";

/** The site, which `buildDocs` builds at the start of a local stack and for an image. */
export const BUILT = new URL("../built/", import.meta.url);

/**
 * Placeholders in the built files for what is known only when they are served. VitePress parses
 * URLs, so they look like URLs. The default name and colour stand for the product's.
 */
export const BASE_URL = "https://base-url.example";
export const SUPPORT_URL = "https://support-url.example";
export const ICON_URL = "https://icon-url.example";
export const NAME = "Partner Connect";
const COLOR = "#12564b";

/** A file below /docs, ready to be sent. */
export interface DocsFile {
  readonly type: string;
  readonly cacheControl: string;
  readonly body: Encoded;
  /** Null if the body is already compressed. */
  readonly gzip: Encoded | null;
}

interface Encoded {
  readonly bytes: Buffer;
  /** Strong, so each encoding has its own. */
  readonly etag: string;
}

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".md": "text/markdown; charset=utf-8",
  ".txt": "text/markdown; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".py": "text/x-python; charset=utf-8",
  ".tgz": "application/gzip",
};
const PYTHON_SDK = createRequire(import.meta.url).resolve(
  "@partner-connect/partner-sdk-python/partner_connect.py",
);

export interface DocsOptions {
  readonly baseUrl: string;
  /** Where partners ask for help; null if it is not set. */
  readonly supportUrl: string | null;
  readonly product: {
    readonly name: string;
    readonly color: string | null;
    readonly iconPath: string;
  };
}

/**
 * The built site. A file is read, and its placeholders filled, at its first request; then it is
 * cached.
 */
export function docsSite({ baseUrl, supportUrl, product }: DocsOptions) {
  const files = new Map<string, DocsFile>();
  // The product's name is also put into strings of scripts, where no other character of it needs an
  // escape.
  const name = product.name.replaceAll("'", "’").replaceAll("\\", "/");
  const filledIn = (text: string) => {
    const packed = text.includes("{sdk_") ? packedSdk() : null;
    return text
      .replaceAll(BASE_URL, () => baseUrl)
      .replaceAll(SUPPORT_URL, () => escapeUrl(supportUrl ?? `${baseUrl}/docs#ask-us`))
      .replaceAll(ICON_URL, () => product.iconPath)
      .replaceAll(NAME, () => name)
      .replaceAll(COLOR, () => product.color ?? COLOR)
      .replaceAll("{sdk_version}", SDK_VERSION)
      .replaceAll("{sdk_sha256}", packed?.sha256 ?? "not packed")
      .replaceAll("{sdk_integrity}", packed?.integrity ?? "not packed");
  };
  const read = (name: string): DocsFile | null => {
    const type = TYPES[extname(name)] ?? "";
    if (name === "partner_connect.py")
      return docsFile(type, readFileSync(PYTHON_SDK), FIVE_MINUTES);
    if (name === "partner-sdk.tgz") {
      const packed = packedSdk();
      return packed && docsFile(type, packed.bytes, FIVE_MINUTES);
    }
    const file = new URL(name, BUILT);
    if (!type || !file.href.startsWith(BUILT.href) || !existsSync(file)) return null;
    const text = readFileSync(file, "utf8");
    const filled = filledIn(text);
    // An asset's name contains the hash of the built file, without the filled placeholders.
    return docsFile(
      type,
      Buffer.from(filled),
      name.startsWith("assets/") && filled === text ? FOREVER : FIVE_MINUTES,
    );
  };
  const open = (name: string): DocsFile | null => {
    const file = files.get(name) ?? read(name);
    if (file) files.set(name, file);
    return file;
  };
  const hashes = new URL("script-hashes.json", BUILT);
  return {
    /** The file that a path below /docs names. */
    find(path: string): DocsFile | null {
      const name = path.slice("/docs/".length);
      if (path === "/docs/" || /^\/|\/$|\.html$/.test(name)) return null;
      return open(name) ?? open(`${name || "index"}.html`);
    },
    findMarkdown(path: string): DocsFile | null {
      const name = path.slice("/docs/".length);
      return open(`${name || "overview"}.md`);
    },
    /** The page for other paths; null if the site was not built. */
    notFound: open("404.html"),
    scriptHashes: (existsSync(hashes) ? JSON.parse(readFileSync(hashes, "utf8")) : []) as string[],
  };
}

/** Escapes a URL for markup and for scripts. */
function escapeUrl(url: string): string {
  return url.replaceAll(/["'`\\$<>]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
}

const FOREVER = "public, max-age=31536000, immutable";
/** After five minutes a browser revalidates its copy, so a release shows by then. */
const FIVE_MINUTES = "public, max-age=300";

function docsFile(type: string, bytes: Buffer, cacheControl: string): DocsFile {
  const hash = createHash("sha256").update(bytes).digest("base64url").slice(0, 22);
  const isPacked = type === TYPES[".tgz"];
  return {
    type,
    cacheControl,
    body: { bytes, etag: `"${hash}"` },
    gzip: isPacked ? null : { bytes: gzipSync(bytes, { level: 9 }), etag: `"${hash}-gzip"` },
  };
}
