import { DirectoryError } from "@partner-connect/directory";
import type { Cli } from "../cli.ts";
import { openInput } from "../open-input.ts";

/** Maximum size of the given file in bytes: enough for a drawing of 4096 × 4096 pixels. */
const MAX_FILE = 1024 * 1024;

/**
 * Reads the file, of at most {@link MAX_FILE} bytes, and converts it to a stored logo.
 * @throws {OperatorError} if the file can't be opened; {DirectoryError} INVALID_LOGO
 */
export async function readLogo(cli: Cli, file: string): Promise<Buffer> {
  const { stream } = await openInput(cli, file);
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

/** Pixels per side of the stored image: enough for every screen at the sizes on our pages. */
const SIDE = 256;

/** Pixels per side of the given image. A smaller one would be blurred, a larger one costs memory. */
const MIN_SIDE = 64;
const MAX_SIDE = 4096;

/** Maximum size of the stored image in bytes; the database checks it too. */
const MAX_STORED = 64 * 1024;

/**
 * WebP qualities in the order in which they are tried. A drawing is below 10 KB at the first; only
 * images with noise need the others.
 */
const QUALITIES = [90, 60, 40, 20];

/**
 * Converts an image to a stored logo: a square WebP of only its pixels, without metadata or a
 * document appended to the image. Only two of the library's decoders are enabled.
 * @throws {DirectoryError} INVALID_LOGO
 */
export async function makeLogo(given: Buffer): Promise<Buffer> {
  const { default: sharp } = await import("sharp");
  sharp.block({ operation: ["VipsForeignLoad"] });
  sharp.unblock({ operation: ["VipsForeignLoadPngBuffer", "VipsForeignLoadWebpBuffer"] });

  // Reads only the header, without a size limit, so that the refusal can name the size.
  const header = async () => await sharp(given, { limitInputPixels: false }).metadata();
  const found = await header().catch(() => refuse("is not a PNG or WebP image"));
  const { width, height, pages = 1 } = found;
  if (pages > 1) refuse("is animated: give a still image");
  if (Math.min(width, height) < MIN_SIDE || Math.max(width, height) > MAX_SIDE) {
    refuse(`has ${width} × ${height} pixels: each side must have ${MIN_SIDE} to ${MAX_SIDE}`);
  }
  const transparent = { r: 0, g: 0, b: 0, alpha: 0 };
  const square = sharp(given, { limitInputPixels: MAX_SIDE * MAX_SIDE })
    .autoOrient()
    .resize(SIDE, SIDE, { fit: "contain", background: transparent });
  for (const quality of QUALITIES) {
    const webp = square.clone().webp({ quality, alphaQuality: quality, effort: 6 }).toBuffer();
    const image = await webp.catch(() => refuse("is damaged: it can't be decoded"));
    if (image.length <= MAX_STORED) return image;
  }
  return refuse("can't be stored in 64 KB");
}

function refuse(problem: string): never {
  throw new DirectoryError("INVALID_LOGO", `the logo ${problem}`);
}
