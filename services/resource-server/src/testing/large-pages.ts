import { connect } from "node:net";
import type { TestResourceServer, TestShop } from "../testing.ts";

/** Bytes of a page of {@link RECORDS} records: more than the socket buffers hold. */
export const PAGE_BYTES = 10_000_000;
const RECORDS = 1000;

/** A shop with `pages` full pages of about {@link PAGE_BYTES} each. */
export async function shopOfLargePages(server: TestResourceServer, pages = 1): Promise<TestShop> {
  const shop = await server.newShop();
  const filling = "x".repeat(PAGE_BYTES / RECORDS - 150);
  await server.owner`INSERT INTO survey.responses (shop_id, id, inserted_at, updated_at, doc)
    SELECT ${shop.id}, 'r' || lpad(i::text, 6, '0'), at, at,
      '{"id":"r' || lpad(i::text, 6, '0') || '","inserted_at":"2025-01-01T00:00:00.000Z","updated_at":"2025-01-01T00:00:00.000Z","response":"' || ${filling}::text || '"}'
    FROM generate_series(1, ${pages * RECORDS}) i, (SELECT timestamptz '2025-01-01T00:00:00Z' AS at) t`;
  return shop;
}

export type Reader = ReturnType<typeof ask>;

/** Asks `count` times at once on one TCP connection, and reads only on demand. */
export function ask(
  url: string,
  apiKey: string,
  { path = "/api/responses?limit=1000", count = 1 } = {},
) {
  const socket = connect({ port: Number(new URL(url).port), host: "127.0.0.1" });
  socket.on("error", () => {});
  const request = `GET ${path} HTTP/1.1\r\nhost: a\r\nauthorization: ${apiKey}\r\n`;
  socket.write(`${`${request}\r\n`.repeat(count - 1)}${request}connection: close\r\n\r\n`);
  /** The response's status, or null if the connection ended before it. Nothing more is read. */
  const status = new Promise<number | null>((resolve) => {
    socket.once("close", () => resolve(null));
    socket.once("data", (chunk: Buffer) => {
      socket.pause();
      resolve(Number(chunk.toString("latin1", 9, 12)));
    });
  });
  return {
    socket,
    status,
    /** Reads all responses until the connection ends, and returns the number of bytes. */
    async rest() {
      let bytes = 0;
      for await (const chunk of socket) bytes += (chunk as Buffer).length;
      return bytes;
    },
  };
}
