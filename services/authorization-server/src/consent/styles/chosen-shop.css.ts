/** Shops of one list that have a name at the buttons. Beyond them none is shown there. */
const SHOPS = 200;

const all = (rule: (place: number) => string) => Array.from({ length: SHOPS }, (_, place) => rule(place)).join(",\n");

/**
 * Consent: at the buttons stands the shop whose radio is checked. CSS can't say 'the name of the one that is checked', so
 * each place in the list has its selector. A browser without `:has()` shows no name there.
 */
export const CHOSEN_SHOP_CSS: string = `
${all((place) => `.consent:has(#shop-${place}:checked) #for-${place}`)} {
  display: inline;
}
.consent:not(:has(.shop :checked)) .for .none {
  display: inline;
}
`;
