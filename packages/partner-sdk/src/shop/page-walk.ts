import type { ApiCaller } from "./api-caller.ts";

/** A page of a list, as the API answers. */
export interface Page<T> {
  readonly data: readonly T[];
  readonly prev: string | null;
  readonly next: string | null;
}

export type QueryValue = string | number | Date | undefined;

export interface PageWalk {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly signal?: AbortSignal | undefined;
  /** Ask for the next page while this one is used. */
  readonly ahead?: boolean;
}

export function queryOf(parameters: Readonly<Record<string, QueryValue>>): URLSearchParams {
  const given = Object.entries(parameters).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, value instanceof Date ? value.toISOString() : String(value)]],
  );
  return new URLSearchParams(given);
}

/** Pages by `next`, up to the last one. */
export async function* pages<T>(
  caller: ApiCaller,
  { path, query, signal, ahead = false }: PageWalk,
): AsyncGenerator<readonly T[], void, undefined> {
  const leaving = new AbortController();
  const either = signal ? AbortSignal.any([signal, leaving.signal]) : leaving.signal;
  const read = (at: URLSearchParams): Promise<Page<T>> => caller.json<Page<T>>({ path, query: at, signal: either });
  try {
    let asked: Promise<Page<T>> | null = read(query);
    while (asked) {
      const page: Page<T> = await asked;
      const next = parametersOf(page.next);
      const early = ahead && next ? read(next) : null;
      early?.catch(() => {}); // awaited in the next round
      yield page.data;
      asked = early ?? (next && read(next));
    }
  } finally {
    leaving.abort();
  }
}

/** Of a link only the parameters count: the credential goes to the address that we were given, and to no other. */
function parametersOf(link: string | null): URLSearchParams | null {
  return link === null ? null : new URL(link).searchParams;
}
