import fc from "fast-check";
import { expect, test } from "vitest";
import { roleUrl } from "../roles/role-password.ts";
import { changeDatabaseUrl, formatDatabaseUrl, parseDatabaseUrl } from "./database-url.ts";
import { driverAddress } from "./driver-address.ts";

test("the hosts of a database URL keep their order and their ports", () => {
  for (const [url, hosts] of [
    ["postgres://u:p@one/db", "one 5432"],
    ["postgres://u:p@one:1,two:2,three/db", "one 1, two 2, three 5432"],
    ["postgresql://u:p@[::1]:1,[fe80::2]/db", "::1 1, fe80::2 5432"],
    ["postgres:///db", ""],
  ] as const) {
    const parsed = parseDatabaseUrl(url);
    expect.soft(parsed.hosts.map(({ host, port }) => `${host} ${port}`).join(", ")).toBe(hosts);
    expect.soft(parsed.database).toBe("db");
  }
});

test("any user, password and database name can be written into a database URL and parsed again", () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), fc.string(), fc.string(), (user, password, name) => {
      const url = changeDatabaseUrl("postgres://one:1,two:2/?sslmode=require", {
        user,
        password,
        database: name,
      });
      expect(parseDatabaseUrl(url)).toMatchObject({ user, password, database: name });
      expect(formatDatabaseUrl(parseDatabaseUrl(url))).toBe(url);
    }),
  );
});

test("a percent sign without a valid encoding is literal in a database URL", () => {
  for (const password of ["1%", "%x1", "%FF"])
    expect(parseDatabaseUrl(`postgres://u:${password}@one/db`)).toMatchObject({ password });
});

test("a malformed database URL is refused, and the message doesn't contain its password", () => {
  for (const rest of [
    ...["secret@one:x/db", "secret@one,/db", "secret@a:b:c/db"],
    // Passwords that aren't encoded.
    ...["secret/x@one/db", "12/secret@one/db", "secret?x@one/db", "12?secret@one/db"],
  ]) {
    const parse = () => parseDatabaseUrl(`postgres://u:${rest}`);
    expect(parse).toThrow(expect.objectContaining({ code: "CONFIGURATION" }));
    expect(parse).toThrow(/^(?!.*secret)DATABASE_URL /);
  }
  expect(() => parseDatabaseUrl("nonsense")).toThrow(/^DATABASE_URL /);
});

test("a role's database URL has the hosts and parameters of the owner's URL", () => {
  const url = roleUrl("postgres://o:p@one:1,two:2/db?sslmode=require", "resource_server", "a/b");
  expect(url).toBe("postgres://resource_server:a%2Fb@one:1,two:2/db?sslmode=require");
});

test("target_session_attrs is read-write unless a database URL sets primary, and other values are refused", () => {
  const wanted = (url: string) => driverAddress(url).options.target_session_attrs;
  expect(wanted("postgres://one/db")).toBe("read-write");
  expect(wanted("postgres://one,two/db")).toBe("read-write");
  expect(wanted("postgres://one,two/db?target_session_attrs=primary")).toBe("primary");
  for (const other of ["any", "read-only", "standby", "prefer-standby", "x"]) {
    const url = `postgres://u:secret@one,two/db?target_session_attrs=${other}`;
    expect(() => wanted(url)).toThrow(
      `target_session_attrs of DATABASE_URL must be read-write or primary`,
    );
  }
  expect(() => driverAddress("postgres://one/db?load_balance_hosts=all")).toThrow(
    "must be disable or random: all",
  );
  expect(driverAddress("postgres://one/db?load_balance_hosts=random").url).not.toContain(
    "load_balance",
  );
});

test("a database provider's URL parameters are ignored, obeyed, or refused by name with a remedy", () => {
  const left = (query: string) =>
    driverAddress(`postgres://u:p@one/db?${query}`).url.split("?")[1] ?? "";
  for (const [query, kept] of [
    ["sslmode=verify-full&channel_binding=require", "sslmode=verify-full"],
    ["sslrootcert=system&channel_binding=require", "sslmode=verify-full"],
    [
      "sslmode=require&channel_binding=prefer&gssencmode=disable&keepalives=1&keepalives_idle=30",
      "sslmode=require",
    ],
    ["connect_timeout=10&application_name=x&ssl_min_protocol_version=TLSv1.2", ""],
    ["schema=public&pgbouncer=true&connection_limit=5&pool_timeout=0&statement_cache_size=0", ""],
    [
      "options=endpoint%3Dep-one&sslnegotiation=direct",
      "options=endpoint%3Dep-one&sslnegotiation=direct",
    ],
  ] as const) {
    expect.soft(left(query), query).toBe(kept);
  }
  for (const [query, name, remedy] of [
    ["sslmode=require&channel_binding=require", "channel_binding", "add that, or leave it out"],
    ["gssencmode=require", "gssencmode", "use sslmode=verify-full"],
    ["require_auth=secret", "require_auth", "use sslmode=verify-full"],
    ["sslcert=secret", "sslcert", "use a password"],
    ["sslpassword=secret", "sslpassword", "use a password"],
    ["sslaccept=secret", "sslaccept", "use sslmode"],
    ["ssl_min_protocol_version=TLSv1.3", "ssl_min_protocol_version", "set it on the server"],
    ["sslmode=secret", "sslmode", "must be one of disable, "],
    ["no_such=secret", "no_such", "is not known: leave it out"],
    ["constructor=secret", "constructor", "is not known"],
  ] as const) {
    expect
      .soft(() => left(query), query)
      .toThrow(new RegExp(`^(?!.*secret)${name} of DATABASE_URL .*${remedy}`));
    expect.soft(() => left(query)).toThrow(expect.objectContaining({ code: "CONFIGURATION" }));
  }
});
