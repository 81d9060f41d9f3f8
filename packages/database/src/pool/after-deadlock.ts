/**
 * Does `work`, a whole transaction or a single statement, and once more if Postgres ended it because it and others waited for each other. Nothing of it
 * was done then, and the others go on. A second deadlock is an error.
 */
export async function repeatAfterDeadlock<T>(work: () => PromiseLike<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if ((error as { code?: unknown } | null)?.code !== "40P01") throw error;
    return await work();
  }
}
