import { BESIDE_MANY } from "./pages.ts";
import type { Size } from "./report.ts";

interface Line {
  readonly name: string;
  readonly colour: string;
  readonly value: (size: Size) => number | undefined;
}

const LINES: readonly Line[] = [
  { name: "first page", colour: "#0072b2", value: ({ measured }) => measured.filled?.pages["first page"]?.ms },
  {
    name: "page at depth 0.9",
    colour: "#56b4e9",
    value: ({ measured }) => measured.filled?.pages["page at depth 0.9"]?.ms,
  },
  {
    name: "blocks of that page",
    colour: "#009e73",
    value: ({ measured }) => measured.filled?.pages["page at depth 0.9"]?.blocks,
  },
  {
    name: "blocks, beside many changed",
    colour: "#d55e00",
    value: ({ measured }) => measured.churned?.pages[BESIDE_MANY]?.blocks,
  },
  {
    name: "import of 10,000",
    colour: "#cc79a7",
    value: ({ measured }) => measured.writes?.["import of 10,000"]?.seconds,
  },
  {
    name: "recategorization of 10,000",
    colour: "#e69f00",
    value: ({ measured }) => measured.writes?.["recategorization of 10,000"]?.seconds,
  },
  {
    name: "size",
    colour: "#666666",
    value: ({ measured }) => measured.filled?.stored.reduce((sum, { bytes }) => sum + bytes, 0),
  },
];

const [WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM] = [760, 420, 60, 40, 210, 50];

/** How each cost grows from the smallest size on, as SVG. Both axes are logarithmic: what grows with the table is the diagonal. */
export function growthPlot(sizes: readonly Size[]): string {
  const [first, last] = [sizes[0]?.millions ?? 1, sizes.at(-1)?.millions ?? 10];
  const decades = Math.log(last / first);
  const x = (millions: number) => LEFT + ((WIDTH - LEFT - RIGHT) * Math.log(millions / first)) / decades;
  const [low, high] = [0.5, (last / first) * 1.5];
  const y = (ratio: number) => {
    const height = Math.log(Math.min(high, Math.max(low, ratio)) / low) / Math.log(high / low);
    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * height;
  };
  const text = (at: readonly [number, number], content: string, more = "") =>
    `<text x="${at[0].toFixed(0)}" y="${at[1].toFixed(0)}" ${more}>${content}</text>`;
  const line = (points: readonly (readonly [number, number])[], style: string) =>
    `<polyline points="${points.map((point) => point.map((part) => part.toFixed(1)).join(",")).join(" ")}" fill="none" ${style}/>`;
  const ticks = [0.5, 1, 2, 3, 5, 10, 20, 30].filter((ratio) => ratio <= high);
  const drawn = LINES.flatMap(({ name, colour, value }, index) => {
    const begin = sizes[0] && value(sizes[0]);
    const points = sizes.flatMap((size): [number, number][] => {
      const now = value(size);
      return now && begin ? [[x(size.millions), y(now / begin)]] : [];
    });
    const key = TOP + 10 + index * 20;
    return [
      line(points, `stroke="${colour}" stroke-width="2"`),
      ...points.map(([cx, cy]) => `<circle cx="${cx.toFixed(1)}" cy="${cy.toFixed(1)}" r="3" fill="${colour}"/>`),
      line(
        [
          [WIDTH - RIGHT + 15, key - 4],
          [WIDTH - RIGHT + 35, key - 4],
        ],
        `stroke="${colour}" stroke-width="2"`,
      ),
      text([WIDTH - RIGHT + 40, key], name),
    ];
  });
  const dashed = 'stroke="#999" stroke-dasharray="4 4"';
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12">`,
    "<title>How the costs of pages and writes grow with the table</title>",
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="white"/>`,
    text([LEFT, 22], `Costs against those at ${first} M responses`, 'font-size="15"'),
    ...ticks.flatMap((ratio) => [
      line(
        [
          [LEFT, y(ratio)],
          [WIDTH - RIGHT, y(ratio)],
        ],
        'stroke="#ddd"',
      ),
      text([LEFT - 8, y(ratio) + 4], `× ${ratio}`, 'text-anchor="end"'),
    ]),
    ...sizes.map(({ millions }) => text([x(millions), HEIGHT - BOTTOM + 20], `${millions} M`, 'text-anchor="middle"')),
    line(
      [
        [x(first), y(1)],
        [x(last), y(last / first)],
      ],
      dashed,
    ),
    text([WIDTH - RIGHT + 40, TOP + 10 + LINES.length * 20], "with the table (dashed)"),
    line(
      [
        [WIDTH - RIGHT + 15, TOP + 6 + LINES.length * 20],
        [WIDTH - RIGHT + 35, TOP + 6 + LINES.length * 20],
      ],
      dashed,
    ),
    ...drawn,
    "</svg>",
    "",
  ].join("\n");
}
