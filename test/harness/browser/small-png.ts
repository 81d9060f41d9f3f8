import { crc32, deflateSync, inflateSync } from "node:zlib";

/**
 * A screenshot with at most 256 colours, which makes it a third as large. The most frequent colours stay. The others, mostly at
 * the edges of letters, become the nearest of those. Takes what Chromium writes: 8-bit RGB, not interlaced.
 */
export function smallPng(png: Buffer): Buffer {
  const { width, height, pixels } = decode(png);
  const palette = commonest(pixels);
  const index = new Map(palette.map((colour, place) => [colour, place]));
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const colour = pixels[y * width + x] ?? 0;
      const place = index.get(colour) ?? nearest(palette, colour);
      index.set(colour, place);
      rows[y * (width + 1) + 1 + x] = place;
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  return Buffer.concat([
    png.subarray(0, 8),
    chunk("IHDR", header),
    chunk("PLTE", Buffer.from(palette.flatMap(channels))),
    chunk("IDAT", deflateSync(rows, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function commonest(pixels: Uint32Array): number[] {
  const counts = new Map<number, number>();
  for (const colour of pixels) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  return [...counts]
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, 256)
    .map(([colour]) => colour);
}

function nearest(palette: readonly number[], colour: number): number {
  const [red, green, blue] = channels(colour);
  const distances = palette.map((candidate) => {
    const [r, g, b] = channels(candidate);
    return (r - red) ** 2 + (g - green) ** 2 + (b - blue) ** 2;
  });
  return distances.indexOf(Math.min(...distances));
}

function channels(colour: number): [number, number, number] {
  return [colour >> 16, (colour >> 8) & 255, colour & 255];
}

function decode(png: Buffer): { width: number; height: number; pixels: Uint32Array } {
  let [width, height] = [0, 0];
  const data: Buffer[] = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
    const body = png.subarray(at + 8, at + 8 + png.readUInt32BE(at));
    const type = png.toString("latin1", at + 4, at + 8);
    if (type === "IDAT") data.push(body);
    if (type !== "IHDR") continue;
    [width, height] = [body.readUInt32BE(0), body.readUInt32BE(4)];
    if (body[8] !== 8 || body[9] !== 2 || body[12] !== 0) throw new Error("not an 8-bit RGB PNG");
  }
  const bytes = unfilter(inflateSync(Buffer.concat(data)), width * 3, height);
  const pixels = new Uint32Array(width * height);
  for (let n = 0; n < pixels.length; n += 1) pixels[n] = bytes.readUIntBE(n * 3, 3);
  return { width, height, pixels };
}

/** PNG (third edition) §9: each row says how it was predicted from the one above and the pixel before. */
function unfilter(raw: Buffer, stride: number, height: number): Buffer {
  const out = Buffer.alloc(stride * height);
  for (let y = 0; y < height; y += 1) {
    const filter = raw[y * (stride + 1)] ?? 0;
    for (let x = 0; x < stride; x += 1) {
      const at = y * stride + x;
      const left = x >= 3 ? (out[at - 3] ?? 0) : 0;
      const up = y > 0 ? (out[at - stride] ?? 0) : 0;
      const corner = x >= 3 && y > 0 ? (out[at - stride - 3] ?? 0) : 0;
      const predicted = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter] ?? 0;
      out[at] = ((raw[y * (stride + 1) + 1 + x] ?? 0) + predicted) & 255;
    }
  }
  return out;
}

function paeth(left: number, up: number, corner: number): number {
  const estimate = left + up - corner;
  const [a, b, c] = [left, up, corner].map((value) => Math.abs(estimate - value)) as [number, number, number];
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}

function chunk(type: string, body: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(type, "latin1"), body]);
  const out = Buffer.alloc(content.length + 8);
  out.writeUInt32BE(body.length, 0);
  content.copy(out, 4);
  out.writeUInt32BE(crc32(content), content.length + 4);
  return out;
}
