import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";

/** Something below /docs, ready to be sent. */
export interface DocsFile {
  readonly type: string;
  readonly cacheControl: string;
  readonly body: Encoded;
  /** Null where the body is compressed by itself. */
  readonly gzip: Encoded | null;
  /** Where it is not 200. */
  readonly status?: number;
}

interface Encoded {
  readonly bytes: Buffer;
  /** Strong, so each encoding has its own. */
  readonly etag: string;
}

export const GZIP = "application/gzip";
export const FOREVER = "public, max-age=31536000, immutable";
/** A release shows within five minutes; then a browser asks whether its copy is still good. */
export const FIVE_MINUTES = "public, max-age=300";

export function docsFile(type: string, content: string | Buffer, cacheControl: string = FIVE_MINUTES): DocsFile {
  const bytes = Buffer.from(content);
  const hash = createHash("sha256").update(bytes).digest("base64url").slice(0, 22);
  return {
    type,
    cacheControl,
    body: { bytes, etag: `"${hash}"` },
    gzip: type === GZIP ? null : { bytes: gzipSync(bytes, { level: 9 }), etag: `"${hash}-gzip"` },
  };
}
