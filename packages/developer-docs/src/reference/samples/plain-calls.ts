import type { Endpoint } from "../endpoints.ts";
import { queryOf } from "./curl.ts";

/** A call that no SDK has, by what comes with each language. @throws Error for one that has a body: it is written in sdk-calls.ts */
export function plainCalls({ method, path, operation }: Endpoint): { readonly ts: string; readonly python: string } {
  if (method !== "GET") throw new Error(`sdk-calls.ts has no call of ${operation.operationId}`);
  const url = `{base_url}${path}${queryOf(operation)}`;
  const [scheme] = operation.security;
  if (!scheme) {
    return {
      ts: `const answer = await fetch("${url}");\nconsole.log(await answer.json());`,
      python: `import json
import urllib.request

with urllib.request.urlopen("${url}") as answer:
    print(json.load(answer))`,
    };
  }
  if ("client" in scheme) throw new Error(`sdk-calls.ts has no call of ${operation.operationId}`);
  return {
    ts: `const answer = await fetch("${url}", {
  headers: { authorization: \`Bearer \${process.env["ACCESS_TOKEN"]}\` },
});
console.log(await answer.json());`,
    python: `import json
import os
import urllib.request

authorization = "Bearer " + os.environ["ACCESS_TOKEN"]
request = urllib.request.Request("${url}", headers={"Authorization": authorization})
with urllib.request.urlopen(request) as answer:
    print(json.load(answer))`,
  };
}
