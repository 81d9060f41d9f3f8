import { expect, test } from "vitest";
import { BufferPool } from "./buffer-pool.ts";
import { PageBody } from "./owned-page.ts";

test("a buffer that is released twice is given to one taker only", () => {
  const pool = new BufferPool();
  const first = pool.take(1000);
  first.release();
  first.release();
  const [second, third] = [pool.take(1000), pool.take(1000)];
  expect(second.bytes).toBe(first.bytes);
  expect(third.bytes).not.toBe(first.bytes);
  first.release();
  expect(pool.take(1000).bytes).not.toBe(second.bytes);
});

test("a page's body that outgrew its buffer releases each of its buffers once", () => {
  const pool = new BufferPool();
  const small = pool.take(1000);
  small.release();
  const body = new PageBody(pool, 1000);
  body.records.fill("1");
  const next = `https://connect.example/api/responses?${"x".repeat(70_000)}`;
  const bytes = body.finish(1000, { prev: null, next });
  expect(JSON.parse(bytes.toString())).toMatchObject({ prev: null, next });
  body.release();
  body.release();
  const taken = [pool.take(1000), pool.take(1000), pool.take(100_000), pool.take(100_000)].map((each) => each.bytes);
  expect(taken[0]).toBe(small.bytes);
  expect(taken[2]?.buffer).toBe(bytes.buffer);
  expect(new Set(taken).size).toBe(4);
});
