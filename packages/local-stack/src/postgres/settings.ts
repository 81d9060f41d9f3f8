/** The same order of text on every machine. */
export const INITDB_FLAGS = [
  "--encoding=UTF8",
  "--locale=C",
  "--locale-provider=builtin",
  "--builtin-locale=C.UTF-8",
] as const;

/**
 * The settings that differ from Postgres's defaults, as flags.
 * Not durable: what was committed may be lost if the machine (not just Postgres) stops; for tests.
 */
export function settings({ durable }: { readonly durable: boolean }): string[] {
  const values = {
    max_connections: "300",
    fsync: durable ? "on" : "off",
    full_page_writes: durable ? "on" : "off",
    timezone: "UTC",
  };
  return Object.entries(values).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}
