/** Opens each thing once, and closes what was opened. */
export class Doors {
  readonly #open = new Map<string, Promise<unknown>>();
  readonly #closing: (() => Promise<void>)[] = [];

  open<T>(name: string, open: () => Promise<T>): Promise<T> {
    const known = this.#open.get(name) as Promise<T> | undefined;
    if (known) return known;
    const opening = open();
    this.#open.set(name, opening);
    return opening;
  }

  onClose(close: () => Promise<void>): void {
    this.#closing.push(close);
  }

  async close(): Promise<void> {
    await Promise.all(this.#closing.map((close) => close()));
  }
}
