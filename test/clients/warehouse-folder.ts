import { mkdtemp, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { guideText, snippetsOf, withBaseUrl } from "@partner-connect/developer-docs/testing";

/** A folder with the program of the guide 'Into a warehouse', and the package that it needs. */
export async function warehouseFolder(baseUrl: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "partner-connect-warehouse-"));
  const program = snippetsOf(guideText("warehouse")).find(({ file }) => file === "warehouse.ts");
  await writeFile(join(folder, "warehouse.ts"), withBaseUrl(program?.text ?? "", baseUrl));
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
  await symlink(fileURLToPath(new URL("../node_modules", import.meta.url)), join(folder, "node_modules"));
  return folder;
}
