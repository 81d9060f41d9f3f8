import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";

interface Service {
  readonly image: string;
  readonly command?: readonly string[];
  readonly mem_limit?: string;
  readonly pids_limit?: number;
}

const read = (name: string) => readFileSync(new URL(`../../${name}`, import.meta.url), "utf8");

/** docker-compose.yml with these variables, and its own defaults for the others. */
function services(variables: Readonly<Record<string, string>>): Record<string, Service> {
  const text = read("docker-compose.yml").replace(
    /\$\{(\w+):-([^}]*)\}/g,
    (_, name: string, fallback: string) => variables[name] || fallback,
  );
  return parse(text, { merge: true }).services;
}

const example = Object.fromEntries(
  [...read("deploy/example.env").matchAll(/^(\w+)=(.*)$/gm)].map(([, name = "", value = ""]) => [name, value]),
);

/** Bytes, of `512mb` as Redis writes it or `512m` as Compose does. */
function bytes(size: string | undefined): number {
  const [, number, unit] = /^(\d+)([mg])b?$/.exec(size ?? "") ?? [];
  return Number(number) * (unit === "g" ? 1024 ** 3 : 1024 ** 2);
}

function flag(service: Service | undefined, name: string): string | undefined {
  return new RegExp(`--${name} (\\S+)`).exec(service?.command?.join(" ") ?? "")?.[1];
}

describe.each([
  ["its own defaults", {}],
  ["deploy/example.env", example],
])("docker-compose.yml with %s", (_, variables) => {
  const all = services(variables);
  const redis = Object.entries(all).filter(([, { image }]) => /redis|valkey/.test(image));

  test("every container has a limit of memory and of processes [stack.limits]", () => {
    const unlimited = Object.entries(all).filter(
      ([, service]) => !(bytes(service.mem_limit) > 0 && (service.pids_limit ?? 0) > 0),
    );
    expect(unlimited.map(([name]) => name)).toEqual([]);
  });

  test("what must not be lost is never thrown away for room; what may be lost makes room", () => {
    expect(redis.map(([name, service]) => [name, flag(service, "maxmemory-policy")])).toEqual([
      ["redis", "noeviction"],
      ["resource-server-redis", "allkeys-lru"],
    ]);
  });

  test("every Redis is full before its container is, with room for the copy that it writes to disk [stack.limits]", () => {
    const rooms = redis.map(([, service]) => bytes(service.mem_limit) - 2 * bytes(flag(service, "maxmemory")));
    expect(rooms.map((room) => room >= 64 * 1024 ** 2)).toEqual([true, true]);
  });
});

test("deploy/example.env names every limit that docker-compose.yml takes", () => {
  const names = [...read("docker-compose.yml").matchAll(/\$\{(\w+(?:_MEMORY|_MAXMEMORY)):-/g)].map(([, name]) => name);
  expect(names.length).toBeGreaterThan(0);
  expect(names.filter((name) => !((name ?? "") in example))).toEqual([]);
});
