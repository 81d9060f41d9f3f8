/** A phrase that readers had to read twice, and what to write in its place. */
export interface Phrase {
  readonly form: RegExp;
  readonly advice: string;
}

const PHRASES: readonly Phrase[] = [
  { form: /\bof which\b/gi, advice: "begin a new sentence" },
  { form: /\bwho(?:ever|msoever)\b/gi, advice: "name the person: a caller, a merchant, an operator" },
  { form: /\bwhichever\b/gi, advice: "'any', or say which one" },
  { form: /\bso many\b/gi, advice: "give the number, or name what is counted" },
  { form: /\b(?:owe[sd]?|owing)\b/gi, advice: "'an answer is still to come', 'is due'" },
  { form: /\b(?:pays?|paid)\b/gi, advice: "say what it saves or costs" },
  { form: /\b(?:lends?|lent)\b/gi, advice: "say who may use it, and until when" },
  { form: /\b(?:settle[sd]?|tenure)\b/gi, advice: "'decides', 'ends', 'the time for which …'" },
  { form: /\bg(?:ive|ives|ave) way\b/gi, advice: "say what happens instead" },
  { form: /\bdoors?\b/gi, advice: "name the function, file or interface" },
  { form: /\brooms\b/gi, advice: "name the folders" },
  { form: /(?:^|[.:;]\s+)(?:Also,|So (?:is|are|does|do)\b)/gm, advice: "begin with the subject" },
];

/** A place in a text, with its line, counted from 1. */
export interface Finding {
  readonly line: number;
  readonly words: string;
  readonly advice: string;
}

/** @param file its name decides what people read in it: all of Markdown without its code, of code the comments alone */
export function findPhrases(file: string, text: string): Finding[] {
  const read = file.endsWith(".md") ? withoutCode(text) : commentsOf(file, text);
  return PHRASES.flatMap(({ form, advice }) =>
    read
      .matchAll(form)
      .map((found) => ({ line: read.slice(0, found.index).split("\n").length, words: found[0].trim(), advice }))
      .toArray(),
  ).sort((one, other) => one.line - other.line);
}

/** Lines keep their numbers. */
function withoutCode(markdown: string): string {
  return markdown.replace(/^\s*```[\s\S]*?^\s*```|`[^`\n]*`/gm, (code) => code.replace(/[^\n]/g, " "));
}

const COMMENT: Readonly<Record<string, RegExp>> = {
  sql: /--.*/g,
  sh: /(?<=^|\s)#.*/gm,
  py: /(?<=^|\s)#.*|"""[\s\S]*?"""/gm,
};

function commentsOf(file: string, code: string): string {
  const form = COMMENT[file.slice(file.lastIndexOf(".") + 1)] ?? /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*/gm;
  let comments = code.replace(/[^\n]/g, " ");
  for (const found of code.matchAll(form)) {
    const end = found.index + found[0].length;
    comments = comments.slice(0, found.index) + withoutCode(found[0]) + comments.slice(end);
  }
  return comments;
}
