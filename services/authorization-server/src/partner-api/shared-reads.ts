import { setImmediate as turn } from "node:timers/promises";

/** Reads of one key that are asked for in one turn of the event loop are one: it begins after all of them. */
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
