import { table } from "../table.ts";
import type { Measured } from "./measured.ts";
import type { Explained } from "./statement.ts";

export interface Size {
  readonly millions: number;
  readonly measured: Measured;
}

type Show = (measured: Measured) => string | undefined;

const MEGABYTE = 1024 * 1024;
const statement = ({ ms, blocks }: Explained): string => `${ms.toFixed(2)} ms, ${blocks.toFixed(0)}`;
const milliseconds = (ms: number | undefined): string | undefined => (ms === undefined ? ms : `${ms.toFixed(2)} ms`);
const written = (one: { seconds: number; walBytes: number } | undefined): string | undefined =>
  one && `${one.seconds.toFixed(2)} s, ${(one.walBytes / MEGABYTE).toFixed(0)} MB`;

/** The tables of all sizes, a column for each. */
export function growthReport(sizes: readonly Size[]): string {
  const bySize = (title: string, rows: readonly (readonly [string, Show])[]): string =>
    table(
      [title, ...sizes.map(({ millions }) => `${millions} M`)],
      rows.map(([name, show]) => [name, ...sizes.map(({ measured }) => show(measured) ?? "")]),
    );
  const names = (of: (measured: Measured) => readonly string[]): readonly string[] => [
    ...new Set(sizes.flatMap(({ measured }) => of(measured))),
  ];
  const pageNames = names(({ pages }) => Object.keys(pages ?? {}));
  const writeNames = names(({ writes }) => Object.keys(writes ?? {}));
  const storedNames = names(({ stored }) => (stored ?? []).map(({ name }) => name));
  const size = ({ stored }: Measured, name: string): string | undefined => {
    const found = stored?.find((one) => one.name === name);
    return found && `${(found.bytes / MEGABYTE).toFixed(0)} MB${found.levels === null ? "" : `, ${found.levels}`}`;
  };
  return [
    bySize("page of 50: statement, blocks touched", [
      ...pageNames.map((name): [string, Show] => [name, ({ pages }) => pages?.[name] && statement(pages[name])]),
      ["all sorts, filters, cursors: median", ({ combinations }) => milliseconds(combinations?.median)],
      ["all sorts, filters, cursors: p99", ({ combinations }) => milliseconds(combinations?.p99)],
      ["all sorts, filters, cursors: worst", ({ combinations }) => combinations && statement(combinations.worst)],
    ]),
    bySize(
      "write to the largest shop: time, log of Postgres",
      writeNames.map((name) => [name, (measured) => written(measured.writes?.[name])]),
    ),
    bySize("on disk, levels of the index", [
      ...storedNames.map((name): [string, Show] => [name, (measured) => size(measured, name)]),
      [
        "bytes a response, indexes included",
        ({ stored }) => {
          const count = sizes.find(({ measured }) => measured.stored === stored)?.millions;
          if (!stored || !count) return undefined;
          return (stored.reduce((sum, { bytes }) => sum + bytes, 0) / count / 1e6).toFixed(0);
        },
      ],
    ]),
    ...sizes.flatMap(({ millions, measured: { combinations } }) =>
      combinations ? [`Worst combination of ${millions} M: ${combinations.worst.query}`] : [],
    ),
  ].join("\n\n");
}
