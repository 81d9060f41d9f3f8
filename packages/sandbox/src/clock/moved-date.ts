/** Under this name a process that follows the sandbox's clock can be told from any other. */
const MARK = Symbol.for("partner-connect.sandbox-clock");

let movedBy = 0;

/** Makes `Date` of this process tell another time: `new Date()`, `Date()` and `Date.now()` are ahead by what {@link moveDate} says. */
export function installMovedDate(): void {
  const world = globalThis as { [MARK]?: boolean };
  if (world[MARK]) return;
  world[MARK] = true;
  const machineNow = Date.now.bind(Date);
  const now = (): number => machineNow() + movedBy;
  const machineDate = Date;
  machineDate.now = now;
  globalThis.Date = new Proxy(machineDate, {
    construct: (target, values, made) => Reflect.construct(target, values.length === 0 ? [now()] : values, made),
    apply: () => new machineDate(now()).toString(),
  });
  globalThis.Date.prototype.constructor = globalThis.Date;
}

export function moveDate(by: number): void {
  movedBy = by;
}
