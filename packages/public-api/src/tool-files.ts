import { readFileSync } from "node:fs";

interface ToolFile {
  readonly name: "postman.json" | "airbyte.yaml";
  readonly type: string;
  /** Its text, with the address that partners were given. Read when it is asked for. */
  readonly text: (baseUrl: string) => string;
}

/** What the files have where users fill in another address: that of a system on their own machine. */
export const LOCAL_URL = "http://localhost:8080";

const toolFile = (name: ToolFile["name"], type: string): ToolFile => ({
  name,
  type,
  text: (baseUrl) => readFileSync(new URL(`../${name}`, import.meta.url), "utf8").replaceAll(LOCAL_URL, baseUrl),
});

export const TOOL_FILES: readonly ToolFile[] = [
  toolFile("postman.json", "application/json; charset=utf-8"),
  toolFile("airbyte.yaml", "application/yaml; charset=utf-8"),
];
