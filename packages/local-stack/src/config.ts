/** Folders in which programs are looked for. */
export function searchPath(): string {
  return process.env["PATH"] ?? "";
}
