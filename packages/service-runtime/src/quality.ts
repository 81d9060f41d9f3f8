/**
 * The weight (0 to 1) that a header such as Accept or Accept-Encoding gives to `name`, or null if it doesn't name it.
 * RFC 9110 §12.4.2. What is malformed in it is passed over.
 */
export function quality(header: string, name: string): number | null {
  for (const part of header.split(",")) {
    const [value = "", ...parameters] = part.split(";");
    if (value.trim().toLowerCase() !== name) continue;
    const weight = parameters.map((parameter) => /^\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*$/i.exec(parameter)?.[1]);
    return Math.min(Number(weight.find((found) => found !== undefined) ?? 1), 1);
  }
  return null;
}
