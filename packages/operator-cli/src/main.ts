import { enableCompileCache } from "node:module";
import { fileURLToPath } from "node:url";

// Compile cache: later calls start in a quarter of the time. The cache is in the clone, because
// others can write to a temporary folder.
enableCompileCache(
  fileURLToPath(new URL("../../../node_modules/.cache/partner-connect", import.meta.url)),
);

// A reader of our output may stop reading, as `head` does. That is no failure, and without its
// stderr a command goes on.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    if (stream === process.stdout) process.exit();
  });
}

const { run } = await import("./program.ts");
process.exitCode = await run(process.argv.slice(2), process);
