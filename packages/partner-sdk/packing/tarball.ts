import { gzipSync } from "node:zlib";

const BLOCK = 512;

/** A gzipped tar (ustar) of these files, by path: the same bytes for the same files. Paths have up to 100 characters. */
export function tarball(files: ReadonlyMap<string, Buffer>): Buffer {
  const entries = [...files].sort(([a], [b]) => (a < b ? -1 : 1));
  const blocks = entries.flatMap(([path, content]) => [header(path, content.length), padded(content)]);
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]), { level: 9 });
}

function header(path: string, size: number): Buffer {
  if (Buffer.byteLength(path) > 100) throw new Error(`the path is too long for a tarball: ${path}`);
  const block = Buffer.alloc(BLOCK);
  const octal = (value: number, offset: number, digits: number) =>
    block.write(value.toString(8).padStart(digits, "0"), offset);
  block.write(path, 0);
  octal(0o644, 100, 7);
  octal(0, 108, 7);
  octal(0, 116, 7);
  octal(size, 124, 11);
  // npm's own packages have this time, 1985-10-26: dates before 1980 trouble some tools.
  octal(499_162_500, 136, 11);
  block.write("        0", 148);
  block.write("ustar\u000000", 257);
  octal(
    block.reduce((sum, byte) => sum + byte, 0),
    148,
    6,
  );
  block.writeUInt8(0, 154);
  return block;
}

function padded(content: Buffer): Buffer {
  return Buffer.concat([content, Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK)]);
}
