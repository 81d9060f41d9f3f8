import { expect, test } from "vitest";
import { snippetsOf } from "./testing.ts";

test("every block of a guide is found, with its line and what stands beside its language", () => {
  const text =
    "# A\n\n```bash\necho 1\n```\n\n- in a list:\n\n  ```json answer\n  {}\n  ```\n\n```ts file=a.ts\nlet a;\n```\n";
  expect(snippetsOf(text)).toEqual([
    { language: "bash", file: null, isAnswer: false, text: "echo 1", line: 4 },
    { language: "json", file: null, isAnswer: true, text: "{}", line: 10 },
    { language: "ts", file: "a.ts", isAnswer: false, text: "let a;", line: 14 },
  ]);
});
