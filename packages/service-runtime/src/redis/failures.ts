/** Why a connection last failed. */
const failures = new WeakMap<object, Error>();

export function noteFailure(connection: object, error: Error): void {
  failures.set(connection, error);
}

export function lastFailure(connection: object): Error | undefined {
  return failures.get(connection);
}
