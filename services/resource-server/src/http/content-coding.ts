import { promisify } from "node:util";
import { brotliCompress, constants, gzip, zstdCompress } from "node:zlib";
import Negotiator from "negotiator";

/** The codings on offer, best first, each at its cheapest level: a page must cost less to compress than to make. */
const CODINGS = {
  zstd: (body: Buffer) => zstd(body, ZSTD),
  br: (body: Buffer) => brotli(body, BROTLI),
  gzip: (body: Buffer) => zip(body, GZIP),
} as const;

const ZSTD = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
const GZIP = { level: 1 };
const zstd = promisify(zstdCompress);
const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

export type Coding = keyof typeof CODINGS;

const OFFERED = Object.keys(CODINGS) as Coding[];

/** The package's types don't know `preferred` yet: the order where the client's weights are equal. */
interface OrderedNegotiator {
  encoding(available: readonly string[], options: { readonly preferred: readonly string[] }): string | undefined;
}

/** The best coding that `Accept-Encoding` names, by the client's weights and then by our order; null: as it is. */
export function chooseCoding(acceptEncoding: string | undefined): Coding | null {
  if (acceptEncoding === undefined) return null;
  // We compress only when the client asks for a coding by its name: `*` alone may come from one that knows none of ours.
  const header = acceptEncoding.toLowerCase();
  const named = [...OFFERED, "identity"].filter((coding) => header.includes(coding));
  const negotiator: OrderedNegotiator = new Negotiator({ headers: { "accept-encoding": header } });
  const best = negotiator.encoding(named, { preferred: named });
  return OFFERED.find((coding) => coding === best) ?? null;
}

export function compress(body: Buffer, coding: Coding): Promise<Buffer> {
  return CODINGS[coding](body);
}
