import { LANGUAGES } from "../../harness/browser/reader.ts";

const WIDTHS = [1280, 640, 390, 320] as const;
/** What a reader has set in the browser, in pixels: usual, and twice as large. */
const TEXT_SIZES = [16, 32] as const;
const COLOUR_SCHEMES = ["light", "dark"] as const;

/** One way to look at a page. */
export interface View {
  readonly language: (typeof LANGUAGES)[number];
  readonly width: (typeof WIDTHS)[number];
  readonly textSize: (typeof TEXT_SIZES)[number];
  readonly colorScheme: (typeof COLOUR_SCHEMES)[number];
}

/** Every combination, by language. */
export function allViews(): View[] {
  return LANGUAGES.flatMap((language) =>
    WIDTHS.flatMap((width) =>
      TEXT_SIZES.flatMap((textSize) =>
        COLOUR_SCHEMES.map((colorScheme) => ({ language, width, textSize, colorScheme })),
      ),
    ),
  );
}

/**
 * Four views of a page, one in each language. A page has each value of each factor in one of them, and the pages together
 * each pair of values.
 *
 * @param page its number in the list of all pages
 */
export function viewsOf(page: number): View[] {
  return LANGUAGES.map((language, index) => {
    const turn = (index + page) % 4;
    return {
      language,
      width: WIDTHS[turn] ?? 320,
      textSize: TEXT_SIZES[(turn + (page >> 2)) % 2] ?? 16,
      colorScheme: COLOUR_SCHEMES[((turn >> 1) + (page >> 3)) % 2] ?? "light",
    };
  });
}
