import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { isDatabaseFault, isFaultOfANode, startDeadline } from "./database-fault.ts";

test.each([
  [
    "the connection",
    "08006 CONNECTION_CLOSED CONNECT_TIMEOUT ECONNRESET DATABASE_DEADLINE ETIMEDOUT",
  ],
  [
    "authentication or certificates",
    "28P01 3D000 DEPTH_ZERO_SELF_SIGNED_CERT ERR_TLS_CERT_ALTNAME_INVALID CERT_HAS_EXPIRED",
  ],
  ["the server's state", "25006 40P01 53300 55P03 57014 57P01 58030 XX000"],
  ["a statement prepared for another schema", "0A000 26000 34000 42P05 42804 42883"],
])("an error about %s is a database fault", (_, codes) => {
  for (const code of codes.split(" "))
    expect([code, isDatabaseFault(Object.assign(new Error("x"), { code }))]).toEqual([code, true]);
});

test("an error about the request or about our code is no database fault", () => {
  for (const code of "22P02 23505 23503 42601 42703 UNDEFINED_VALUE UNSAFE_TRANSACTION".split(
    " ",
  )) {
    expect([code, isDatabaseFault(Object.assign(new Error("x"), { code }))]).toEqual([code, false]);
  }
  for (const error of [new Error("x"), null, undefined, "08006", { code: 57 }])
    expect(isDatabaseFault(error)).toBe(false);
});

test("only an error in which a server reports a lost or stopped node counts as a fault of a node", () => {
  const answered = (code: string) => Object.assign(new Error("x"), { name: "PostgresError", code });
  for (const code of ["08006", "08001", "57P01"])
    expect([code, isFaultOfANode(answered(code))]).toEqual([code, true]);
  for (const code of ["57014", "40P01", "XX000", "0A000"]) {
    expect([code, isFaultOfANode(answered(code))]).toEqual([code, false]);
  }
  // Without a connection to the server, no other node can be reached.
  for (const code of ["08006", "CONNECTION_CLOSED", "ECONNREFUSED"]) {
    expect(isFaultOfANode(Object.assign(new Error("x"), { code }))).toBe(false);
  }
});

test("a response that arrives while the process is busy meets its deadline", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const client = connect((server.address() as AddressInfo).port, "127.0.0.1");
  onTestFinished(() => void client.destroy());
  const [other] = (await once(server, "connection")) as [Socket];
  onTestFinished(() => void other.destroy());
  const late = Promise.withResolvers<never>();
  const { stop } = startDeadline(50, late.reject);
  const answer = once(client, "data").then(String);
  other.write("row");
  for (const end = performance.now() + 100; performance.now() < end; );
  expect(await Promise.race([answer, late.promise])).toBe("row");
  stop();
  startDeadline(50, late.reject);
  await expect(late.promise).rejects.toMatchObject({ code: "DATABASE_DEADLINE" });
});
