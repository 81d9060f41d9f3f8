import { readFileSync } from "node:fs";
import { removeInvisible } from "@partner-connect/directory";
import type { Parsed } from "@partner-connect/service-runtime/environment";
import { html } from "@partner-connect/service-runtime/html";
import { initial } from "./names.ts";

const MAX_NAME_LENGTH = 50;

/** Refuses syntax of HTML and the Caddyfile, because the gateway's page has the name unescaped. */
export function productName(text: string): Parsed<string> {
  if (removeInvisible(text) !== text)
    return { problem: "has characters that nobody can see, or spaces around it" };
  if (text.length > MAX_NAME_LENGTH)
    return { problem: `has more than ${MAX_NAME_LENGTH} characters` };
  return /[<>"`{}]/.test(text) ? { problem: 'has one of < > " ` { }' } : { value: text };
}

export interface ProductLogo {
  readonly content: Buffer;
  /** The file extension in URLs. */
  readonly extension: "png" | "webp" | "svg";
  readonly type: "image/png" | "image/webp" | "image/svg+xml";
}

/** In bytes. Every first visit loads the logo. */
const MAX_LOGO_BYTES = 64 * 1024;

/** Reads the image, and determines its type from its content. */
export function productLogo(path: string): Parsed<ProductLogo> {
  let content: Buffer;
  try {
    content = readFileSync(path);
  } catch (error) {
    return { problem: `can't be read: ${(error as NodeJS.ErrnoException).code}` };
  }
  if (content.length > MAX_LOGO_BYTES) return { problem: "is a file of more than 64 KB" };
  const head = content.toString("latin1", 0, 12);
  if (head.startsWith("\x89PNG\r\n\x1a\n"))
    return { value: { content, extension: "png", type: "image/png" } };
  if (/^RIFF.{4}WEBP$/s.test(head))
    return { value: { content, extension: "webp", type: "image/webp" } };
  const text = content.toString();
  if (!/^\s*(?:<\?xml.*?\?>|<!--.*?-->|\s)*<svg[\s>]/s.test(text))
    return { problem: "is not a PNG, WebP or SVG image" };
  // The SVG may only draw: opened directly in a browser, it must run no script and send no request.
  const more =
    /<(?:script|foreignObject|iframe|!ENTITY)|\son\w+\s*=|(?:href|src)\s*=\s*["'](?!#|data:image\/)|@import|url\(\s*["']?(?!#)/i;
  if (more.test(text))
    return { problem: "is an SVG with more than a drawing, such as a script or a link" };
  return { value: { content, extension: "svg", type: "image/svg+xml" } };
}

/** Minimum contrast with the light background: above WCAG 2.2, 1.4.3, because pills are darker. */
const LEAST_CONTRAST = 5;

/** Luminance of `--ground` in a light window (base.css). */
const GROUND = luminance("#f2f4f1");

export const OUR_COLOR = "#12564b";

export function productColor(text: string): Parsed<string> {
  if (!/^#[0-9a-f]{6}$/i.test(text)) return { problem: `is not a colour such as #12564b: ${text}` };
  if ((GROUND + 0.05) / (luminance(text) + 0.05) < LEAST_CONTRAST) {
    return { problem: `is too light to be read on the pages' light ground: ${text}` };
  }
  return { value: text };
}

/** The CSS rule that makes this colour the accent, and a lighter tone of it in dark mode. */
export function accentRule(color: string): string {
  const mixed = (share: number, other: string) =>
    `color-mix(in srgb, ${color}, ${other} ${share}%)`;
  return `:root {
  --accent: light-dark(${color}, ${mixed(60, "white")});
  --accent-hover: light-dark(${mixed(25, "black")}, ${mixed(70, "white")});
  --accent-ink: light-dark(white, #101412);
  --accent-wash: light-dark(${mixed(91, "white")}, ${mixed(88, "#191f1c")});
}
`;
}

/** The icon of a product without a logo: its initial on its colour. */
export function initialIcon(name: string, color: string): string {
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="${color}"/><text x="16" y="22.5" text-anchor="middle" font-family="system-ui, sans-serif" font-size="18" font-weight="700" fill="#fff">${initial(name)}</text></svg>`.toString();
}

/** WCAG 2.2, relative luminance. */
function luminance(color: string): number {
  const linear = (at: number) => {
    const value = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * linear(1) + 0.7152 * linear(3) + 0.0722 * linear(5);
}
