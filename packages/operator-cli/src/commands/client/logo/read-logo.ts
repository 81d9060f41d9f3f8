import { DirectoryError } from "@partner-connect/directory";
import { openSource } from "../../../options/open-source.ts";
import type { Context } from "../../../run/context.ts";
import { makeLogo } from "./logo-image.ts";

/** Bytes. Enough for a drawing of 4096 × 4096. */
const MAX_FILE = 1024 * 1024;

/**
 * The logo in this file, made ready to be stored. No more than the largest logo is read of it, whatever it is.
 * @throws {OperatorError} when it can't be read
 * @throws {DirectoryError} INVALID_LOGO
 */
export async function readLogo(context: Context, file: string): Promise<Buffer> {
  const { stream } = await openSource(context, file);
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
