import { readFileSync } from "node:fs";
import { withoutUnseen } from "@partner-connect/directory";
import type { Parsed } from "@partner-connect/service-runtime/environment";

const MAX_NAME_LENGTH = 50;

/** The gateway's page has the name as it stands, so it has no character of markup, and none of a Caddyfile. */
export function productName(text: string): Parsed<string> {
  if (withoutUnseen(text) !== text) return { problem: "has characters that nobody can see, or spaces around it" };
  if (text.length > MAX_NAME_LENGTH) return { problem: `has more than ${MAX_NAME_LENGTH} characters` };
  return /[<>"`{}]/.test(text) ? { problem: 'has one of < > " ` { }' } : { value: text };
}

export interface ProductLogo {
  readonly content: Buffer;
  /** What its name in URLs ends with. */
  readonly extension: "png" | "webp" | "svg";
  readonly type: "image/png" | "image/webp" | "image/svg+xml";
}

/** Bytes. It is part of every page's first visit. */
const MAX_LOGO_BYTES = 64 * 1024;

/** The image in this file, known by its content. */
export function productLogo(path: string): Parsed<ProductLogo> {
  let content: Buffer;
  try {
    content = readFileSync(path);
  } catch (error) {
    return { problem: `can't be read: ${(error as NodeJS.ErrnoException).code}` };
  }
  if (content.length > MAX_LOGO_BYTES) return { problem: "is a file of more than 64 KB" };
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

/** Red, green and blue, 0 to 255. */
type Color = readonly [red: number, green: number, blue: number];

/** The light or the dark window, with the colours of base.css that an accent stands on. */
interface Theme {
  readonly card: Color;
  readonly ground: Color;
  /** The text of a button that is filled with the accent. */
  readonly ink: Color;
  /** Towards it the contrast grows. */
  readonly end: Color;
  /** How much of the accent its faint ground has. */
  readonly wash: number;
}

const BASE = readFileSync(new URL(import.meta.resolve("@partner-connect/service-runtime/base.css")), "utf8");
const [LIGHT_CARD, DARK_CARD] = pairOf("card");
const [LIGHT_GROUND, DARK_GROUND] = pairOf("ground");
const WHITE: Color = [255, 255, 255];
const LIGHT: Theme = { card: LIGHT_CARD, ground: LIGHT_GROUND, ink: WHITE, end: [0, 0, 0], wash: 0.09 };
const DARK: Theme = { card: DARK_CARD, ground: DARK_GROUND, ink: DARK_GROUND, end: WHITE, wash: 0.12 };

/** Between a text and its ground: WCAG 2.2, 1.4.3. */
const LEAST_CONTRAST = 4.5;

/**
 * The rule of a stylesheet that makes this colour the accent. In a dark window a lighter one of the same hue stands for it. The problem
 * names a colour that would do.
 */
export function productColor(text: string): Parsed<string> {
  if (!/^#[0-9a-f]{6}$/i.test(text)) return { problem: `is not a colour such as #12564b: ${text}` };
  const light = colorOf(text);
  const readable = nearestReadable(light, LIGHT);
  if (readable !== light) {
    return { problem: `has too little contrast on the pages' light ground: ${text}; ${hex(readable)} would do` };
  }
  const dark = nearestReadable(light, DARK);
  const [forLight, forDark] = [accents(light, LIGHT), accents(dark, DARK)];
  const lines = Object.entries(forLight).map(
    ([name, color]) => `--${name}: light-dark(${hex(color)}, ${hex(forDark[name as keyof typeof forDark])});`,
  );
  return { value: `:root {\n${lines.join("\n")}\n}\n` };
}

/** The colour itself, or the nearest to it with enough contrast. */
function nearestReadable(color: Color, theme: Theme): Color {
  for (let share = 0; share < 1; share += 0.02) {
    const candidate = share === 0 ? color : mixed(color, theme.end, share);
    const grounds = [theme.card, theme.ground, theme.ink, accents(candidate, theme)["accent-wash"]];
    if (grounds.every((ground) => contrast(candidate, ground) >= LEAST_CONTRAST)) return candidate;
  }
  return theme.end;
}

function accents(accent: Color, { card, ink, end, wash }: Theme) {
  return {
    accent,
    "accent-hover": mixed(accent, end, 0.25),
    "accent-ink": ink,
    "accent-wash": mixed(card, accent, wash),
  };
}

/** WCAG 2.2, contrast ratio. */
function contrast(one: Color, other: Color): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(color: Color): number {
  const linear = color.map((value) => (value <= 10 ? value / 3294 : ((value / 255 + 0.055) / 1.055) ** 2.4));
  const [red = 0, green = 0, blue = 0] = linear;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function mixed([red, green, blue]: Color, other: Color, share: number): Color {
  const mix = (value: number, end: number) => Math.round(value + (end - value) * share);
  return [mix(red, other[0]), mix(green, other[1]), mix(blue, other[2])];
}

function pairOf(name: string): [light: Color, dark: Color] {
  const [, light = "", dark = ""] = new RegExp(`--${name}: light-dark\\((#\\w{6}), (#\\w{6})\\)`).exec(BASE) ?? [];
  return [colorOf(light), colorOf(dark)];
}

function colorOf(text: string): Color {
  const part = (from: number) => Number.parseInt(text.slice(from, from + 2), 16);
  return [part(1), part(3), part(5)];
}

function hex(color: Color): string {
  return `#${color.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}
