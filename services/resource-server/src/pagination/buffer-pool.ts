/** The smallest buffer, and the largest that is kept. Sizes are powers of two up to there, and exact above. */
const SMALLEST = 64 * 1024;
const LARGEST_KEPT = 2 * 1024 * 1024;
/** Bytes kept of each size. */
const KEPT = 4 * 1024 * 1024;

export interface TakenBuffer {
  /** Any content. At least as many bytes as were asked for. */
  readonly bytes: Buffer;
  /** The next answer may be written into the bytes from here on. A second call does nothing. Without any, they are collected. */
  release(): void;
}

/** Buffers that answers are written into, used again: made anew they would be most of the garbage collector's work. */
export class BufferPool {
  readonly #free = new Map<number, Buffer[]>();

  static lengthFor(size: number): number {
    if (size > LARGEST_KEPT) return size;
    let length = SMALLEST;
    while (length < size) length *= 2;
    return length;
  }

  take(size: number): TakenBuffer {
    const length = BufferPool.lengthFor(size);
    const bytes = this.#free.get(length)?.pop() ?? Buffer.allocUnsafeSlow(length);
    let isTaken = true;
    const release = (): void => {
      if (isTaken) this.#keep(bytes);
      isTaken = false;
    };
    return { bytes, release };
  }

  #keep(buffer: Buffer): void {
    if (buffer.length > LARGEST_KEPT) return;
    const free = this.#free.get(buffer.length) ?? [];
    if (free.length * buffer.length < KEPT) free.push(buffer);
    this.#free.set(buffer.length, free);
  }
}
