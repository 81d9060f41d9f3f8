import { readFile, rename, writeFile } from "node:fs/promises";

/** The document in this file; null where it can't be read. */
export async function readJson<Content>(file: string): Promise<Content | null> {
  const text = await readFile(file, "utf8").catch(() => null);
  return text === null ? null : (JSON.parse(text) as Content);
}

/** For this user alone. Readers see the old file or the new one, never a part. */
export async function writeJson(file: string, content: object): Promise<void> {
  await writeFile(`${file}.new`, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
}
