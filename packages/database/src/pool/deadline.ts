/** A query was not answered in time: it waited for a connection or for its rows. */
class DatabaseDeadlineError extends Error {
  readonly code = "DATABASE_DEADLINE";
}

/**
 * The query's result, or {@link DatabaseDeadlineError} after `milliseconds`. This bounds how long the caller waits, also when
 * the pool is full or the host is gone. It doesn't end the statement: Postgres does, by statement_timeout.
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
