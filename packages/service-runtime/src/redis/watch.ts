import type { Command, Redis as Server } from "ioredis";
import { oneWriteATurn } from "./one-write-a-turn.ts";
import { destroyWhenSilent } from "./silent-connection.ts";

export interface Watch {
  /** Milliseconds after which a server that was asked and sends nothing counts as lost. */
  readonly silence: number;
  /** Learns of each command that is sent. */
  readonly observe: (command: Command) => void;
}

/**
 * Watches a connection to one server, from before it is open: all commands of one turn of the event loop go out in one write, and
 * when the server was asked and is silent, the connection is closed, so that all commands that wait fail.
 */
export function watch(server: Server, { silence, observe }: Watch): void {
  /** Of the open connection. */
  let silenceTimer: NodeJS.Timeout | undefined;
  server.on("connect", () => {
    silenceTimer = destroyWhenSilent(server.stream, silence, () => server.commandQueue.length > 0);
  });
  const send = server.sendCommand;
  server.sendCommand = (command, stream) => {
    if (server.stream?.writable) oneWriteATurn(server.stream);
    if (server.commandQueue.length === 0) silenceTimer?.refresh();
    observe(command);
    return send.call(server, command, stream);
  };
}
