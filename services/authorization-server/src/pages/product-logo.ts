import { readFileSync } from "node:fs";
import type { Parsed } from "@partner-connect/service-runtime/environment";

export interface ProductLogo {
  readonly content: Buffer;
  /** What its name in URLs ends with. */
  readonly extension: "png" | "webp" | "svg";
  readonly type: "image/png" | "image/webp" | "image/svg+xml";
}

/** Bytes. It is part of every page's first visit. */
const MAX_SIZE = 64 * 1024;

/** The image in this file, known by its content. */
export function productLogo(path: string): Parsed<ProductLogo> {
  let content: Buffer;
  try {
    content = readFileSync(path);
  } catch (error) {
    return { problem: `can't be read: ${(error as NodeJS.ErrnoException).code}` };
  }
  if (content.length > MAX_SIZE) return { problem: "is a file of more than 64 KB" };
  const head = content.toString("latin1", 0, 12);
  if (head.startsWith("\x89PNG\r\n\x1a\n")) return { value: { content, extension: "png", type: "image/png" } };
  if (/^RIFF.{4}WEBP$/s.test(head)) return { value: { content, extension: "webp", type: "image/webp" } };
  const text = content.toString();
  if (!/^\s*(?:<\?xml.*?\?>|<!--.*?-->|\s)*<svg[\s>]/s.test(text))
    return { problem: "is not a PNG, WebP or SVG image" };
  // A drawing alone: a browser that opens it by itself runs nothing and asks nobody.
  const more =
    /<(?:script|foreignObject|iframe|!ENTITY)|\son\w+\s*=|(?:href|src)\s*=\s*["'](?!#|data:image\/)|@import|url\(\s*["']?(?!#)/i;
  if (more.test(text)) return { problem: "is an SVG with more than a drawing, such as a script or a link" };
  return { value: { content, extension: "svg", type: "image/svg+xml" } };
}
