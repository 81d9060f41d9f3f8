/**
 * A name that an object within `text` has twice, at any depth; undefined where none has. `value` is what JSON.parse made of the text: it
 * keeps the last one of a name and says nothing.
 *
 * Behind every name is a quotation mark and a colon. Where there are no more of these than members, no name is there twice. Other lines, of
 * which there are few, are read name by name.
 */
export function doubledKey(text: string, value: unknown): string | undefined {
  return mostNames(text) === countMembers(value) ? undefined : firstDoubled(text);
}

const QUOTE = 0x22;
const SPACE = 0x20;

/** How many names there are, or more, as texts may have the same characters. */
function mostNames(text: string): number {
  let names = 0;
  for (let colon = text.indexOf(":"); colon >= 0; colon = text.indexOf(":", colon + 1)) {
    const before = text.charCodeAt(colon - 1);
    if (before === QUOTE) names++;
    else if (before <= SPACE) return Number.POSITIVE_INFINITY;
  }
  return names;
}

function countMembers(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const inner = Object.values(value);
  let members = Array.isArray(value) ? 0 : inner.length;
  for (const each of inner) members += countMembers(each);
  return members;
}

function firstDoubled(text: string): string | undefined {
  const open: Set<unknown>[] = [];
  for (const [token, string, colon] of text.matchAll(/("[^"\\]*(?:\\.[^"\\]*)*")\s*(:?)|[{}]/g)) {
    if (token === "{") open.push(new Set());
    else if (token === "}") open.pop();
    else if (string !== undefined && colon === ":") {
      const key: string = JSON.parse(string);
      if (open.at(-1)?.has(key)) return key;
      open.at(-1)?.add(key);
    }
  }
  return undefined;
}
