import type { PageParameters } from "./limit-and-cursor.ts";

export interface Edge {
  readonly id: string;
  readonly insertedAt: string;
  readonly updatedAt: string;
}

/** The first and last record of a page, and whether there are more before and after. */
export interface PageEdges {
  readonly first: Edge;
  readonly last: Edge;
  readonly precedes: boolean;
  readonly follows: boolean;
}

/** Returns absolute URLs on the configured base, with canonical names. An empty page has none. */
export function pageLinks(
  endpoint: string,
  { given, linkTime }: Pick<PageParameters, "given" | "linkTime">,
  edges: PageEdges | null,
) {
  if (!edges) return { prev: null, next: null };
  const link = (name: string, edge: Edge): string => {
    const cursor = { [name]: edge.id, ...(linkTime && { cursor_time: edge[linkTime] }) };
    const pairs = [...given, ...Object.entries(cursor)].map(
      ([key, value]) => `${key}=${encodeURIComponent(value)}`,
    );
    return `${endpoint}?${pairs.join("&")}`;
  };
  return {
    prev: edges.precedes ? link("ending_before", edges.first) : null,
    next: edges.follows ? link("starting_after", edges.last) : null,
  };
}
