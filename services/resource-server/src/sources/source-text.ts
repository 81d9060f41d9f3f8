/** Postgres stores no NUL, and half of a surrogate pair is no text. Only texts are judged. */
export function isStorable(value: unknown): boolean {
  return typeof value !== "string" || (!value.includes("\0") && value.isWellFormed());
}

export function isHttpUrl(text: string): boolean {
  const url = isStorable(text) ? URL.parse(text) : null;
  return url?.protocol === "https:" || url?.protocol === "http:";
}
