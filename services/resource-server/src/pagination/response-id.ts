/** Whether a response could have this id: 1 to 64 characters, and no NUL, which Postgres would refuse to compare with. */
export function isPossibleResponseId(id: string): boolean {
  return id !== "" && id.length <= 128 && [...id].length <= 64 && !id.includes("\0");
}
