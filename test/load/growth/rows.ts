/** The shops of the table, by what is measured in them. */
export interface Shops {
  /** It has half of all responses. */
  readonly largest: string;
  /** It has {@link SMALL_SHOP} responses, however many the table has: what the others' responses cost it. */
  readonly small: string;
}

export const SMALL_SHOP = 2000;
/** They share the rest: many have little, and a few have much. */
export const OTHER_SHOPS = 500;
export const otherShop = (index: number): string => `shop_growth_${index}`;

export const FROM = Date.parse("2023-01-01T00:00:00Z");
export const TO = Date.parse("2026-01-01T00:00:00Z");
/** When many responses of the largest shop were changed. */
export const INSTANT = FROM + (TO - FROM) * 0.6;

export interface Row {
  readonly shopId: string;
  readonly id: string;
  readonly insertedAt: number;
  readonly updatedAt: number;
}

/**
 * The response at `index` of a table of `count`, which must be a multiple of 10 × {@link SMALL_SHOP}. Responses are in the order
 * in which they arrive, evenly over three years: a larger table is a denser one. In the largest shop one in six has the same
 * millisecond as the one before, a fifth changed once, soon or much later, and 6 % at one instant.
 */
export function rowAt(index: number, count: number, shops: Shops): Row {
  const step = Math.floor((TO - FROM) / count);
  const insertedAt = FROM + (index - (index % 12 === 2 ? 2 : 0)) * step;
  const [place, change] = [mixed(index, 1), mixed(index, 2)];
  const shopId =
    index % 2 === 0
      ? shops.largest
      : index % (count / SMALL_SHOP) === 1
        ? shops.small
        : otherShop(Math.floor(OTHER_SHOPS * fraction(place) ** 3));
  const random = hex(mixed(index, 3)) + hex(mixed(index, 4)) + hex(mixed(index, 5)).slice(0, 4);
  const changes = change % 10;
  const later = insertedAt + Math.floor((TO - insertedAt) * fraction(mixed(index, 6)) ** 3);
  const updatedAt =
    changes < 2 ? later : changes === 2 && index % 2 === 0 && insertedAt < INSTANT ? INSTANT : insertedAt;
  return { shopId, id: `res_${insertedAt.toString(16).padStart(12, "0")}${random}`, insertedAt, updatedAt };
}

/** A place among the largest shop's rows: at 0 the oldest, at 1 the newest. */
export function largestShopIndex(place: number, count: number): number {
  return Math.min(count - 2, Math.floor((place * count) / 2) * 2);
}

/** 32 bits that look random, the same in every run. */
function mixed(index: number, salt: number): number {
  let state = Math.imul(index ^ (index / 4_294_967_296), 0x9e3779b1) ^ Math.imul(salt, 0x85ebca6b);
  state = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
  state = Math.imul(state ^ (state >>> 15), 0x735a2d97);
  return (state ^ (state >>> 15)) >>> 0;
}

const fraction = (bits: number): number => bits / 4_294_967_296;
const hex = (bits: number): string => bits.toString(16).padStart(8, "0");
