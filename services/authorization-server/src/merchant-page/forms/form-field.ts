/** The value of one field of a posted form; the empty string if the field is missing or was sent more than once. */
export function formField(body: unknown, name: string): string {
  if (typeof body !== "object" || body === null || !Object.hasOwn(body, name)) return "";
  const value = (body as Record<string, unknown>)[name];
  return typeof value === "string" ? value : "";
}
