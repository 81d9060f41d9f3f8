import type postgres from "postgres";

/** Learns of every statement of a pool. A transaction counts as one, beside the statement that begins it. */
export interface StatementObserver {
  begun(): void;
  /** @param milliseconds with the wait for a connection */
  ended(milliseconds: number): void;
}

/** What postgres.js makes of a statement; its types don't say. It is sent by its handler, once somebody awaits it. */
interface Query extends Promise<unknown> {
  handler: Handler;
}
interface Handler {
  (query: Query): void;
  readonly debug?: unknown;
}

/**
 * The pool, with its statements observed. A statement is a fragment of another one until it is awaited, so it can't be observed
 * where it is written: it gets another handler. All have the same one, and nothing is assigned that holds a statement.
 */
export function observed(pool: postgres.Sql, observer: StatementObserver): postgres.Sql {
  let send: Handler | undefined;
  const observeAndSend: Handler = (query) => {
    observe(query, observer);
    send?.(query);
  };
  const watch = <T>(made: T): T => {
    if (!(made instanceof Promise)) return made;
    const query = made as unknown as Query;
    send ??= query.handler;
    query.handler = observeAndSend;
    return made;
  };
  const { unsafe, begin } = pool as unknown as Record<"unsafe" | "begin", (...values: unknown[]) => Promise<unknown>>;
  Object.assign(pool, {
    unsafe: (...values: unknown[]) => watch(unsafe(...values)),
    begin(...values: unknown[]) {
      const transaction = begin(...values);
      observe(transaction, observer);
      return transaction;
    },
  });
  return new Proxy(pool, { apply: (target, self, values) => watch(Reflect.apply(target, self, values)) });
}

/** By the `then` of promises: a statement's own sends it. */
function observe(promise: Promise<unknown>, observer: StatementObserver): void {
  const begun = performance.now();
  const end = (): void => observer.ended(performance.now() - begun);
  observer.begun();
  Promise.prototype.then.call(promise, end, end);
}
