/** Where a page of the table begins: beside one response, in the order of time and id. */
export interface ResponsePosition {
  readonly side: "older" | "newer";
  readonly insertedAt: string;
  readonly id: string;
}

/** Of a page's URL, such as `?older=2026-11-21T01:02:03.123Z~res_1`. What is malformed means the first page. */
export function readPosition(query: Readonly<Record<string, unknown>>): ResponsePosition | null {
  for (const side of ["older", "newer"] as const) {
    const [, insertedAt, id] = /^(\d{4}-[\dT:.-]+Z)~([\w-]{1,64})$/.exec(String(query[side] ?? "")) ?? [];
    if (insertedAt && id) return { side, insertedAt, id };
  }
  return null;
}

export function positionQuery({ side, insertedAt, id }: ResponsePosition): string {
  return `?${side}=${encodeURIComponent(`${insertedAt}~${id}`)}`;
}
