/** The smallest buffer, and the largest that is kept. Sizes are powers of two up to there, and exact beyond. */
const LEAST = 64 * 1024;
const MOST_KEPT = 2 * 1024 * 1024;
/** Bytes kept of each size. */
const KEPT = 4 * 1024 * 1024;

/**
 * Buffers that answers are written into, used again and again: made anew for every page they would be most of what the
 * garbage collector has to do.
 */
export class BufferPool {
  readonly #free = new Map<number, Buffer[]>();

  /** Bytes of the buffer that is taken for `size` bytes. */
  static lengthFor(size: number): number {
    if (size > MOST_KEPT) return size;
    let length = LEAST;
    while (length < size) length *= 2;
    return length;
  }

  /** A buffer of at least `size` bytes, with any content. */
  take(size: number): Buffer {
    const length = BufferPool.lengthFor(size);
    return this.#free.get(length)?.pop() ?? Buffer.allocUnsafeSlow(length);
  }

  /** Nobody may use the buffer from here on. One that is never given back is simply collected. */
  give(buffer: Buffer): void {
    if (buffer.length > MOST_KEPT) return;
    const free = this.#free.get(buffer.length) ?? [];
    if (free.length * buffer.length < KEPT) free.push(buffer);
    this.#free.set(buffer.length, free);
  }
}
