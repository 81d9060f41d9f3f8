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
function allViews(): View[] {
  return LANGUAGES.flatMap((language) =>
    WIDTHS.flatMap((width) =>
      TEXT_SIZES.flatMap((textSize) =>
        COLOUR_SCHEMES.map((colorScheme) => ({ language, width, textSize, colorScheme })),
      ),
    ),
  );
}

/**
 * How a page is looked at: one view of it, so that all pages together have each pair of values; by night all.
 *
 * @param page its number in the list of all pages
 */
export function viewsOf(page: number): View[] {
  if (process.env["TEST_NIGHTLY"]) return allViews();
  return [
    {
      language: LANGUAGES[page % 4] ?? "en",
      width: WIDTHS[(page >> 2) % 4] ?? 320,
      textSize: TEXT_SIZES[(page + (page >> 2) + (page >> 4)) % 2] ?? 16,
      colorScheme: COLOUR_SCHEMES[((page >> 1) + (page >> 2) + (page >> 4)) % 2] ?? "light",
    },
  ];
}
