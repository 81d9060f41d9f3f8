#!/usr/bin/env node
import { parseArgs } from "node:util";
import { askSecret } from "./ask-secret.ts";
import { listen } from "./listen.ts";

const USAGE = `Usage: partner-connect listen --base-url URL --client CLIENT_ID --forward http://localhost:PORT/PATH

Sends webhooks to a program on this machine: signed hints that the client's feed has moved, as the server sends them.
The client's secret is read from CLIENT_SECRET; without that it is asked for.`;

const text = { type: "string" } as const;

try {
  const { values, positionals } = parseArgs({
    options: { "base-url": text, client: text, forward: text, help: { type: "boolean" } },
    allowPositionals: true,
  });
  const { "base-url": baseUrl, client, forward } = values;
  if (values.help) {
    console.log(USAGE);
  } else if (positionals.join() !== "listen" || !baseUrl || !client || !forward) {
    console.error(USAGE);
    process.exitCode = 2;
  } else {
    const { CLIENT_SECRET = "" } = process.env;
    const clientSecret =
      CLIENT_SECRET || (await askSecret("Client secret (it is not shown): ", process.stdin, process.stderr));
    await listen({
      baseUrl,
      clientId: client,
      clientSecret,
      forward,
      begun: ({ secret, publicKey }) => {
        console.log(`Verify with this run's secret: ${secret}\n(or its public key, for v1a:     ${publicKey})`);
      },
      say: (line) => console.log(line),
    });
  }
} catch (error) {
  console.error(`partner-connect: ${(error as Error).message}`);
  process.exitCode = 1;
}
