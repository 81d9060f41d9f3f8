/** Gives each heading of one page a fragment of its own, made of its words. */
export function slugs(): (heading: string) => string {
  const given = new Map<string, number>();
  return (heading) => {
    const words = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, "-")
      .replace(/^-+|-+$/g, "");
    const times = given.get(words) ?? 0;
    given.set(words, times + 1);
    return times === 0 ? words : `${words}-${times + 1}`;
  };
}
