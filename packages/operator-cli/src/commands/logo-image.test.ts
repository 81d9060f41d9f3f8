import { randomBytes } from "node:crypto";
import { crc32, deflateSync } from "node:zlib";
import sharp from "sharp";
import { expect, test } from "vitest";
import { makeLogo } from "./logo-image.ts";

const red = { r: 220, g: 30, b: 40 };
const drawing = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: red } });

/** How opaque each pixel of a logo is. */
async function alphaOf(logo: Buffer) {
  const data = await sharp(logo).ensureAlpha().raw().toBuffer();
  return (x: number, y: number) => data[(y * 256 + x) * 4 + 3];
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** A PNG whose header has this size, followed by these chunks. */
function png(width: number, height: number, ...chunks: Buffer[]): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 0, 0, 0, 0], 8);
  const signature = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
  return Buffer.concat([signature, chunk("IHDR", head), ...chunks, chunk("IEND", Buffer.alloc(0))]);
}

/** All pixels of a grey image, black. */
const pixels = (width: number, height: number) =>
  chunk("IDAT", deflateSync(Buffer.alloc((width + 1) * height)));

test.each([
  ["a PNG", drawing(300, 300).png()],
  ["a WebP", drawing(64, 64).webp()],
  ["a lossless WebP", drawing(64, 64).webp({ lossless: true })],
  ["a wide PNG", drawing(4096, 64).png()],
  ["a PNG of 16 bits", drawing(100, 100).toColourspace("rgb16").png()],
  ["a PNG with a palette", drawing(100, 100).png({ palette: true })],
])("%s becomes a square WebP of 256 pixels", async (_, given) => {
  const image = await makeLogo(await given.toBuffer());
  expect(await sharp(image).metadata()).toMatchObject({
    format: "webp",
    width: 256,
    height: 256,
  });
  expect(image.length).toBeLessThan(10_000);
});

test("a logo that is not square is centred on a transparent background", async () => {
  const alpha = await alphaOf(await makeLogo(await drawing(200, 100).png().toBuffer()));
  expect([alpha(128, 4), alpha(128, 128), alpha(128, 252)]).toEqual([0, 255, 0]);
});

test("a logo stays within the database's size limit even if it is noise", async () => {
  const noise = sharp(randomBytes(256 * 256 * 4), {
    raw: { width: 256, height: 256, channels: 4 },
  });
  expect((await makeLogo(await noise.png().toBuffer())).length).toBeLessThanOrEqual(64 * 1024);
});

test("a logo is stored without metadata and without any other document in or after the image", async () => {
  const script = "<script>alert(1)</script>";
  const tagged = await drawing(100, 100)
    .withExif({ IFD0: { Copyright: script, Artist: "PK\u0003\u0004 somebody" } })
    .withXmp(`<x:xmpmeta xmlns:x="adobe:ns:meta/">${script}</x:xmpmeta>`)
    .png()
    .toBuffer();
  const text = chunk("tEXt", Buffer.from(`Comment\0${script}`));
  const behindHead = Buffer.concat([tagged.subarray(0, 33), text, tagged.subarray(33)]);
  for (const given of [
    Buffer.concat([behindHead, Buffer.from(`\n<html>${script}</html>PK\u0003\u0004`)]),
    Buffer.concat([await drawing(100, 100).webp().toBuffer(), Buffer.from(script)]),
  ]) {
    expect(given.includes(script)).toBe(true);
    const image = await makeLogo(given);
    for (const part of ["script", "PK\u0003\u0004", "EXIF"])
      expect(image.includes(part), part).toBe(false);
    const { exif, xmp, icc } = await sharp(image).metadata();
    expect([exif, xmp, icc]).toEqual([undefined, undefined, undefined]);
  }
});

test("a logo is rotated according to its metadata", async () => {
  const turned = await drawing(200, 100).webp().withMetadata({ orientation: 6 }).toBuffer();
  const alpha = await alphaOf(await makeLogo(turned));
  expect([alpha(4, 128), alpha(128, 4)]).toEqual([0, 255]);
});

const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100"><script>alert(1)</script></svg>';
const NONE = /is not a PNG or WebP image/;
const bytes = (text: string) => Buffer.from(text, "latin1");
const animated = { raw: { width: 100, height: 200, channels: 3, pageHeight: 100 } } as const;
test.each<[string, RegExp, Buffer | Promise<Buffer>]>([
  ["empty", NONE, Buffer.alloc(0)],
  ["plain text", NONE, bytes("not an image")],
  ["an SVG", NONE, bytes(svg)],
  ["a GIF", NONE, drawing(100, 100).gif().toBuffer()],
  ["a JPEG", NONE, drawing(100, 100).jpeg().toBuffer()],
  ["a sound in WebP's container", NONE, bytes("RIFF\x24\0\0\0WAVEfmt ")],
  ["an SVG behind PNG's signature", NONE, bytes(`\x89PNG\r\n\x1a\n${svg}`)],
  ["text behind WebP's header", NONE, bytes(`RIFF\x40\0\0\0WEBPVP8 ${"x".repeat(64)}`)],
  ["a PNG without its last rows", /is damaged/, png(100, 100, pixels(100, 40))],
  [
    "too narrow",
    /has 63 × 300 pixels: each side must have 64 to 4096/,
    drawing(63, 300).png().toBuffer(),
  ],
  ["too wide", /has 4097 × 64 pixels/, drawing(4097, 64).png().toBuffer()],
  ["enormous by its header", /has 60000 × 60000 pixels/, png(60_000, 60_000, pixels(10, 10))],
  [
    "animated",
    /is animated/,
    sharp(randomBytes(100 * 200 * 3), animated)
      .webp({ loop: 0, delay: [100, 100] })
      .toBuffer(),
  ],
])("a logo is refused if it is %s", async (_, problem, given) => {
  await expect(makeLogo(await given)).rejects.toMatchObject({
    code: "INVALID_LOGO",
    message: expect.stringMatching(problem),
  });
});
