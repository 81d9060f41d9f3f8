import { enableCompileCache } from "node:module";
import { fileURLToPath } from "node:url";

// Starts four times as fast from the second call on. In the clone, not in a temporary folder that others can write to.
enableCompileCache(fileURLToPath(new URL("../../../node_modules/.cache/partner-connect", import.meta.url)));

// Whoever reads our output may stop reading, as `head` does: no reason to complain.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    process.exit();
  });
}

const { run } = await import("./run.ts");
process.exitCode = await run(process.argv.slice(2), process);
