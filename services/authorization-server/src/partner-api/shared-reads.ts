import { setImmediate as turn } from "node:timers/promises";

/** Merges reads of one key requested in the same turn of the event loop into one, which begins after all of them. */
export function sharedReads<Result>(): (key: string, read: () => Promise<Result>) => Promise<Result> {
  const asked = new Map<string, Promise<Result>>();
  return (key, read) => {
    const begin = async () => {
      await turn();
      asked.delete(key);
      return await read();
    };
    const shared = asked.get(key) ?? begin();
    asked.set(key, shared);
    return shared;
  };
}
