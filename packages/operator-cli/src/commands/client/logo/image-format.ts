/** By content: what a file is called says nothing. */
export function isPng(bytes: Buffer): boolean {
  return bytes.subarray(0, 8).equals(PNG_SIGNATURE);
}

export function isWebp(bytes: Buffer): boolean {
  return bytes.toString("latin1", 0, 4) === "RIFF" && bytes.toString("latin1", 8, 12) === "WEBP";
}

/** APNG: there is a chunk `acTL` before the pixels. Decoders that don't know it see a still image. https://www.w3.org/TR/png-3/ */
export function isAnimatedPng(bytes: Buffer): boolean {
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
