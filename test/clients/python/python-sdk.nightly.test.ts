import { afterAll, expect, test } from "vitest";
import { faultyProxy } from "../../harness/faults/faulty-proxy.ts";
import { mainStack } from "../../harness/stack/stacks.ts";
import { pythonWorld } from "./python-world.ts";

const proxy = await faultyProxy(mainStack().base_url);

const world = await pythonWorld(proxy);
afterAll(() => world.stop());

// Each module has many tests; the output names those that failed.
test.each([
  ["connects shops, and refuses callbacks of other attempts", "tests.test_authorization"],
  ["keeps one fresh access token per connection", "tests.test_tokens"],
  ["retries when responses are dropped, doubled, delayed or cut off", "tests.test_faults"],
  ["accepts only webhooks that were signed within the last five minutes", "tests.test_webhooks"],
])(
  "the Python SDK %s",
  async (_rule, module) => {
    const { code, output } = await world.run("-m", "unittest", module);
    expect(code, output).toBe(0);
  },
  330_000,
);
