export type Random = ReturnType<typeof seededRandom>;

/**
 * Random numbers from sfc32 (PractRand, 128 bits of state), determined by `seed` on every machine.
 */
export function seededRandom(seed: string) {
  let [a, b, c, d] = [hash(seed, 1), hash(seed, 2), hash(seed, 3), 1];
  const next = (): number => {
    const sum = (a + b + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + sum) | 0;
    return sum >>> 0;
  };
  for (let round = 0; round < 15; round++) next();
  const fraction = () => next() / 2 ** 32;
  const integer = (limit: number) => Math.floor(fraction() * limit);
  return {
    /** A number in [0, 1). */
    fraction,
    /** An integer in [0, limit). */
    integer,
    chance: (probability: number) => fraction() < probability,
    /** @throws {RangeError} if there are no choices */
    pick: <T>(choices: readonly T[]): T => {
      const choice = choices[integer(choices.length)];
      if (choice === undefined) throw new RangeError("nothing to pick from");
      return choice;
    },
    /** `bytes` bytes in hexadecimal; a multiple of four. */
    hex: (bytes: number) => {
      let text = "";
      for (let word = 0; word < bytes / 4; word++) text += next().toString(16).padStart(8, "0");
      return text;
    },
  };
}

/** FNV-1a, 32 bits. */
function hash(text: string, salt: number): number {
  let value = 2_166_136_261 ^ salt;
  for (const byte of Buffer.from(text)) value = Math.imul(value ^ byte, 16_777_619);
  return value | 0;
}
