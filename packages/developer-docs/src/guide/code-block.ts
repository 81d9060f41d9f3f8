/** What the line above a block of code says: ```` ```ts file=connect.ts skip ````. */
export interface CodeInfo {
  readonly language: string;
  /** The name under which the block is a file. */
  readonly file: string | null;
  /** The block is shown and not run. */
  readonly skipped: boolean;
  /** The block shows what the one before it answers. */
  readonly isAnswer: boolean;
}

export function codeInfo(info: string | undefined): CodeInfo {
  const [language = "", ...words] = (info ?? "").split(/\s+/).filter(Boolean);
  const file = words.find((word) => word.startsWith("file="))?.slice("file=".length) ?? null;
  return { language, file, skipped: words.includes("skip"), isAnswer: words.includes("answer") };
}

const LABELS: Readonly<Record<string, string>> = {
  bash: "Shell",
  ts: "TypeScript",
  python: "Python",
  json: "JSON",
  http: "HTTP",
};

/** What stands above a block, for readers. */
export function codeLabel({ language, file, isAnswer }: CodeInfo): string {
  return file ?? (isAnswer ? "Answer" : (LABELS[language] ?? "Text"));
}
