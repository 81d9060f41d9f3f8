import { table } from "../table.ts";
import type { Measured, State } from "./measured.ts";
import { BESIDE_MANY } from "./pages.ts";
import type { Explained } from "./statement.ts";

export interface Size {
  readonly millions: number;
  readonly measured: Measured;
}

type Show = (measured: Measured) => string | undefined;

const MEGABYTE = 1024 * 1024;
const statement = ({ ms, blocks }: Explained): string => `${ms.toFixed(2)} ms, ${blocks.toFixed(0)}`;
const milliseconds = (ms: number | undefined): string | undefined => (ms === undefined ? ms : `${ms.toFixed(2)} ms`);
const cold = ({ ms, blocks, read }: Explained): string =>
  `${ms.toFixed(1)} ms, ${read.toFixed(0)} of ${blocks.toFixed(0)}`;
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
  const pages = names(({ filled }) => Object.keys(filled?.pages ?? {}));
  const writes = names(({ writes }) => Object.keys(writes ?? {}));
  const stored = names(({ filled }) => (filled?.stored ?? []).map(({ name }) => name));
  const storedOf = (state: State | undefined, name: string) => state?.stored.find((one) => one.name === name);
  const size = (state: State | undefined, name: string): string | undefined => {
    const found = storedOf(state, name);
    return found && `${(found.bytes / MEGABYTE).toFixed(0)} MB${found.levels === null ? "" : `, ${found.levels}`}`;
  };
  const inState = (name: string, show: (state: State) => string): readonly (readonly [string, Show])[] =>
    [
      ["as filled", "filled"],
      ["one in 200 changed, not vacuumed", "churned"],
      ["vacuumed", "vacuumed"],
    ].map(([title, key]) => [
      `${name}: ${title}`,
      (measured: Measured) => {
        const state = measured[key as "filled" | "churned" | "vacuumed"];
        return state && show(state);
      },
    ]);
  return [
    bySize(
      "page of 50: statement, blocks touched",
      pages
        .map((name): [string, Show] => [name, ({ filled }) => filled?.pages[name] && statement(filled.pages[name])])
        .concat([
          ["all sorts, filters, cursors: median", ({ filled }) => milliseconds(filled?.combinations.median)],
          ["all sorts, filters, cursors: p99", ({ filled }) => milliseconds(filled?.combinations.p99)],
          ["all sorts, filters, cursors: worst", ({ filled }) => filled && statement(filled.combinations.worst)],
        ]),
    ),
    bySize(
      "the same, from request to answer",
      pages.map((name) => [name, ({ filled }) => filled && `${filled.pages[name]?.answerMs.toFixed(2)} ms`]),
    ),
    bySize("state of the table", [
      ...["first page", "page at depth 0.9, by updated_at", BESIDE_MANY].flatMap((name) =>
        inState(name, ({ pages }) => (pages[name] ? statement(pages[name]) : "")),
      ),
    ]),
    bySize("cold: statement, blocks read of those touched", [
      ["first page after the start", (measured) => measured.cold && cold(measured.cold.first)],
      ["pages anywhere, each the first time", (measured) => measured.cold && cold(measured.cold.anywhere)],
    ]),
    bySize("write to the largest shop: time, log of Postgres", [
      ...writes.map((name): [string, Show] => [name, (measured) => written(measured.writes?.[name])]),
      ["recategorization of one in 200 of the table", (measured) => written(measured.churn)],
      ["vacuum after it", (measured) => written(measured.vacuum)],
    ]),
    bySize("on disk, levels of the index", [
      ...stored.map((name): [string, Show] => [name, ({ filled }) => size(filled, name)]),
      ...stored.map((name): [string, Show] => [`${name}, after the churn`, ({ churned }) => size(churned, name)]),
      [
        "bytes a response, indexes included",
        ({ filled }) => {
          const bytes = filled?.stored.reduce((sum, one) => sum + one.bytes, 0);
          const count = sizes.find(({ measured }) => measured.filled === filled)?.millions;
          return bytes && count ? (bytes / count / 1e6).toFixed(0) : undefined;
        },
      ],
    ]),
    ...sizes.flatMap(({ millions, measured }) =>
      measured.filled ? [`Worst combination of ${millions} M: ${measured.filled.combinations.worst.query}`] : [],
    ),
  ].join("\n\n");
}
