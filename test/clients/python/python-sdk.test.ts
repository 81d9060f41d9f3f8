import { afterAll, beforeAll, expect, test } from "vitest";
import { type PythonWorld, pythonWorld } from "./python-world.ts";

let world: PythonWorld;

beforeAll(async () => {
  world = await pythonWorld();
});
afterAll(() => world.stop());

// Each module has many tests; what failed, and why, is in the output.
test.each([
  ["connects shops, and refuses what isn't ours", "tests.test_authorization"],
  ["keeps connections alive within the limit of token calls", "tests.test_tokens"],
  ["has the records of the API's description", "tests.test_records"],
  ["gets tokens for many connections in one call", "tests.test_batches"],
  ["lists, reads the feed of and ends connections at the server", "tests.test_server"],
  ["accepts the webhooks that were signed within five minutes, and nothing else", "tests.test_webhooks"],
  ["keeps copies of all shops in sync", "tests.test_follow"],
  ["keeps them when it is killed again and again", "tests.test_mirror"],
  ["is as its README shows it", "tests.test_readme"],
  ["repeats what may be repeated when answers are dropped, doubled, delayed and cut", "tests.test_faults"],
  ["keeps a mirror that is the shop, whatever happens", "tests.test_sync"],
])(
  "the Python SDK %s",
  async (_rule, module) => {
    const { code, output } = await world.run("-m", "unittest", module);
    expect(code, output).toBe(0);
  },
  330_000,
);
