/** The first `most` records of a list, and whether others follow. Ask the list for one more, then one page is read. */
export async function firstOf<T>(
  list: AsyncIterable<T>,
  most: number,
): Promise<{ readonly found: readonly T[]; readonly hasMore: boolean }> {
  const found: T[] = [];
  for await (const record of list) {
    if (found.length === most) return { found, hasMore: true };
    found.push(record);
  }
  return { found, hasMore: false };
}
