import { DirectoryError } from "@partner-connect/directory";
import type { Cli } from "../cli.ts";
import { openSource } from "../open-source.ts";

/** Bytes. Enough for a drawing of 4096 × 4096. */
const MAX_FILE = 1024 * 1024;

/**
 * The logo in this file, made ready to be stored. No more than the largest logo is read of it, whatever it is.
 * @throws {OperatorError} when it can't be read
 * @throws {DirectoryError} INVALID_LOGO
 */
export async function readLogo(cli: Cli, file: string): Promise<Buffer> {
  const { stream } = await openSource(cli, file);
  const given: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Buffer | string>) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > MAX_FILE) {
      stream.destroy();
      throw new DirectoryError("INVALID_LOGO", "the logo is larger than 1 MB");
    }
    given.push(bytes);
  }
  return await makeLogo(Buffer.concat(given));
}

/** Pixels of each side of what is served: sharp on every screen, at the sizes that pages show. */
const SIDE = 256;

/** Pixels of each side of what is given. A smaller one would be blurred; a larger one costs memory and gains nothing. */
const MIN_SIDE = 64;
const MAX_SIDE = 4096;

/** Maximum size of the stored image in bytes; the database checks it too. */
const MAX_STORED = 64 * 1024;

/** A drawing is below 10 KB with the first of them. Only noise needs another. */
const QUALITIES = [90, 60, 40, 20];

/**
 * Converts an image to a stored logo: a square WebP of only its pixels, without metadata or a document appended to the image. Only two of
 * the library's decoders are enabled. @throws {DirectoryError} INVALID_LOGO
 */
export async function makeLogo(given: Buffer): Promise<Buffer> {
  if (!isPng(given) && !isWebp(given)) throw refused("is not a PNG or WebP image");
  const { default: sharp } = await import("sharp");
  sharp.block({ operation: ["VipsForeignLoad"] });
  sharp.unblock({ operation: ["VipsForeignLoadPngBuffer", "VipsForeignLoadWebpBuffer"] });

  // Reads only the header, without a size limit, so that the refusal can name the size.
  const { width, height, pages = 1 } = await sharp(given, { limitInputPixels: false }).metadata().catch(damaged);
  if (pages > 1 || isAnimatedPng(given)) throw refused("is animated: give a still image");
  if (Math.min(width, height) < MIN_SIDE || Math.max(width, height) > MAX_SIDE) {
    throw refused(`has ${width} × ${height} pixels: each side must have ${MIN_SIDE} to ${MAX_SIDE}`);
  }
  const transparent = { r: 0, g: 0, b: 0, alpha: 0 };
  const square = sharp(given, { limitInputPixels: MAX_SIDE * MAX_SIDE })
    .autoOrient()
    .resize(SIDE, SIDE, { fit: "contain", background: transparent });
  for (const quality of QUALITIES) {
    const image = await square.clone().webp({ quality, alphaQuality: quality, effort: 6 }).toBuffer().catch(damaged);
    if (image.length <= MAX_STORED) return image;
  }
  throw refused("can't be stored in 64 KB");
}

function refused(problem: string): DirectoryError {
  return new DirectoryError("INVALID_LOGO", `the logo ${problem}`);
}

/** The library's own words tell an operator nothing more. */
function damaged(): never {
  throw refused("is damaged: it can't be decoded");
}

/** By content, because a file name proves nothing. */
function isPng(bytes: Buffer): boolean {
  return bytes.subarray(0, 8).equals(PNG_SIGNATURE);
}

function isWebp(bytes: Buffer): boolean {
  return bytes.toString("latin1", 0, 4) === "RIFF" && bytes.toString("latin1", 8, 12) === "WEBP";
}

/** APNG: there is a chunk `acTL` before the pixels. Decoders that don't know it see a still image. https://www.w3.org/TR/png-3/ */
function isAnimatedPng(bytes: Buffer): boolean {
  if (!isPng(bytes)) return false;
  for (let at = PNG_SIGNATURE.length; at + 8 <= bytes.length; ) {
    const type = bytes.toString("latin1", at + 4, at + 8);
    if (type === "acTL") return true;
    if (type === "IDAT") return false;
    at += 12 + bytes.readUInt32BE(at);
  }
  return false;
}

const PNG_SIGNATURE = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
