import type { Transform } from "node:stream";
import { promisify } from "node:util";
import {
  brotliCompress,
  constants,
  createBrotliCompress,
  createGzip,
  createZstdCompress,
  gzip,
  zstdCompress,
} from "node:zlib";
import { quality } from "@partner-connect/service-runtime";

/** The codings on offer, best first, each at its cheapest level: a page must cost less to compress than to make. */
const CODINGS = {
  zstd: {
    whole: (body: Buffer) => zstd(body, ZSTD),
    stream: (): Transform => createZstdCompress(ZSTD),
  },
  br: {
    whole: (body: Buffer) => brotli(body, BROTLI),
    stream: (): Transform => createBrotliCompress(BROTLI),
  },
  gzip: {
    whole: (body: Buffer) => zip(body, GZIP),
    stream: (): Transform => createGzip(GZIP),
  },
} as const;

const ZSTD = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
const GZIP = { level: 1 };
const zstd = promisify(zstdCompress);
const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

export type Coding = keyof typeof CODINGS;

/** The best coding that `Accept-Encoding` asks for by name, or null: nobody is compressed for who didn't ask. */
export function chooseCoding(acceptEncoding: string | undefined): Coding | null {
  if (acceptEncoding === undefined) return null;
  let best: Coding | null = null;
  let most = 0;
  for (const coding of Object.keys(CODINGS) as Coding[]) {
    const asked = quality(acceptEncoding, coding) ?? 0;
    if (asked > most) [best, most] = [coding, asked];
  }
  return best;
}

export function compress(body: Buffer, coding: Coding): Promise<Buffer> {
  return CODINGS[coding].whole(body);
}

export function compressor(coding: Coding): Transform {
  return CODINGS[coding].stream();
}
