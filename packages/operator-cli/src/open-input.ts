import { open } from "node:fs/promises";
import { resolve } from "node:path";
import type { Cli } from "./cli.ts";
import { OperatorError } from "./errors.ts";

/**
 * Opens a file, or stdin for `-`. `share` returns how much of it was read, 0 to 1, or null if
 * unknown. @throws {OperatorError} if the file is missing, not readable or a folder
 */
export async function openInput({ config, terminal }: Cli, file: string) {
  if (file === "-") return { stream: terminal.stdin, share: () => null };
  const path = resolve(config.workingDirectory, file);
  try {
    const handle = await open(path);
    const stats = await handle.stat();
    if (stats.isDirectory()) {
      await handle.close();
      throw new OperatorError(`${path} is a folder, not a file`, { code: "NOT_A_FILE" });
    }
    const stream = handle.createReadStream({ highWaterMark: 256 * 1024 });
    return {
      stream,
      share: () => (stats.isFile() && stats.size > 0 ? stream.bytesRead / stats.size : null),
    };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "ENOENT")
      throw new OperatorError(`there is no file ${path}`, { code: "UNKNOWN_FILE" });
    if (code === "EACCES")
      throw new OperatorError(`you may not read the file ${path}`, { code: "FORBIDDEN" });
    throw error;
  }
}
