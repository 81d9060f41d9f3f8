/** Shops of one list that have a name at the buttons. Beyond them none is shown there. */
const SHOPS = 200;

const all = (rule: (place: number) => string) => Array.from({ length: SHOPS }, (_, place) => rule(place)).join(",\n");

/**
 * At the buttons stands the shop whose radio is checked: each place in the list has its selector. Without `:has()` no name is shown there.
 */
export const CHOSEN_SHOP_CSS: string = `
${all((place) => `.consent:has(#shop-${place}:checked) #for-${place}`)} {
  display: inline;
}
.consent:not(:has(.shop :checked)) .for .none {
  display: inline;
}
`;
