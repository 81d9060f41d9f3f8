/** A query that got no answer in time, whether it waited for a connection or for its rows. */
export class DatabaseDeadlineError extends Error {
  readonly code = "DATABASE_DEADLINE";
}

/**
 * The query's result, or {@link DatabaseDeadlineError} after `milliseconds`. The statement itself is ended by
 * Postgres's statement_timeout; this bounds what the caller waits, a full pool and a lost host included.
 */
export async function within<T>(milliseconds: number, query: PromiseLike<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new DatabaseDeadlineError(`no answer from Postgres within ${milliseconds} ms`)),
      milliseconds,
    );
  });
  try {
    return await Promise.race([query, deadline]);
  } finally {
    clearTimeout(timer);
  }
}
