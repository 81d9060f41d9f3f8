/** What `count` resolves to, or null if Postgres ended it for its time: a number that people would like to know, and nothing waits for. */
export async function countedInTime(count: Promise<number>): Promise<number | null> {
  return await count.catch((error: { code?: unknown }) => {
    if (error.code === "57014") return null;
    throw error;
  });
}
