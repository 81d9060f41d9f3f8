import { isUtf8 } from "node:buffer";
import { type Chunks, ImportError, tooLongError } from "./split-lines.ts";

const codeOf = (character: string): number => character.charCodeAt(0);
const [QUOTE, BACKSLASH, COMMA, OPEN, CLOSE] = ['"', "\\", ",", "[", "]"].map(codeOf);
const [OPEN_OBJECT, CLOSE_OBJECT] = ["{", "}"].map(codeOf);
/** The byte order mark, which is ignored. */
const MARK = Buffer.from("\uFEFF");
const SPACES = new Set([..." \t\n\r"].map(codeOf));

/**
 * Yields blocks of a JSON array's elements as texts, which are not parsed. @throws {ImportError}
 * for an element over `maxBytes`, or not UTF-8; for bytes around the array, or an array without its
 * end
 */
export async function* splitArray(chunks: Chunks, maxBytes: number): AsyncGenerator<string[]> {
  let rest: Buffer = Buffer.alloc(0);
  let [elements, depth, start, mark] = [0, 0, 0, 0];
  let [isText, isEscaped, isOver] = [false, false, false];

  function decodeElement(bytes: Buffer): string {
    elements++;
    if (bytes.length > maxBytes) throw tooLongError(elements, maxBytes);
    if (!isUtf8(bytes)) throw new ImportError(elements, "is not UTF-8");
    const text = bytes.toString("utf8");
    if (text.trim() === "") throw new ImportError(elements, "is not a JSON object");
    return text;
  }

  for await (const chunk of chunks) {
    const bytes = Buffer.concat([rest, Buffer.from(chunk)]);
    const block: string[] = [];
    start = 0;
    for (let index = rest.length; index < bytes.length; index++) {
      const byte = bytes[index] as number;
      if (isEscaped) isEscaped = false;
      else if (depth === 0) {
        if (byte === OPEN && !isOver) [depth, start] = [1, index + 1];
        else if (!isOver && byte === MARK[mark]) mark++;
        else if (!isOver && !SPACES.has(byte))
          throw new ImportError(1, "the body is not a JSON array");
        else if (!SPACES.has(byte)) throw new ImportError(elements + 1, "is not in one JSON array");
      } else if (isText) {
        isEscaped = byte === BACKSLASH;
        isText = byte !== QUOTE;
      } else if (byte === QUOTE) isText = true;
      else if (byte === OPEN || byte === OPEN_OBJECT) depth++;
      else if (depth > 1 && (byte === CLOSE || byte === CLOSE_OBJECT)) depth--;
      else if (depth === 1 && (byte === CLOSE || byte === COMMA)) {
        const element = bytes.subarray(start, index);
        isOver = byte === CLOSE;
        if (!isOver || elements > 0 || element.toString().trim() !== "")
          block.push(decodeElement(element));
        [depth, start] = [isOver ? 0 : 1, index + 1];
      }
    }
    yield block;
    rest = depth === 0 ? Buffer.alloc(0) : bytes.subarray(start);
    if (rest.length > maxBytes) throw tooLongError(elements + 1, maxBytes);
  }
  if (!isOver) throw new ImportError(elements + 1, "is not in one JSON array: it has no end");
}
