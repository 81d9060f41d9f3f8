import type { Socket } from "node:net";
import type { FastifyInstance, FastifyRequest } from "fastify";

/** How many requests of a connection may wait for their turn before we stop reading from it. */
const MOST_WAITING = 16;

interface Turn {
  /** Being answered; null between two requests. */
  current: FastifyRequest | null;
  readonly waiting: { readonly request: FastifyRequest; readonly begin: () => void }[];
}

const turns = new WeakMap<Socket, Turn>();

/**
 * Answers a connection's requests one after another. Node begins all that are pipelined, and keeps answers until those before are
 * taken: 200 pages for a client that reads none. Here at most {@link MOST_WAITING} requests, and those of one more read, wait.
 */
export function answerInTurn(app: FastifyInstance): void {
  app.addHook("onRequest", (request, _reply, done) => {
    const { socket } = request.raw;
    const turn = turnOf(socket);
    if (!turn.current) {
      turn.current = request;
      return done();
    }
    turn.waiting.push({ request, begin: done });
    if (turn.waiting.length === MOST_WAITING) socket.pause();
  });
  app.addHook("onResponse", (request, _reply, done) => {
    const { socket } = request.raw;
    const turn = turns.get(socket);
    if (turn?.current === request) passOn(socket, turn);
    done();
  });
}

/** Whether a request that arrived whole is being answered: the next one on the connection then waits. */
export function isAnswering(socket: Socket): boolean {
  return turns.get(socket)?.current?.raw.complete === true;
}

function turnOf(socket: Socket): Turn {
  const known = turns.get(socket);
  if (known) return known;
  const turn: Turn = { current: null, waiting: [] };
  turns.set(socket, turn);
  // Node resumes the socket at the end of every answer. This pauses it again before anything is read.
  socket.on("resume", () => {
    if (turn.waiting.length >= MOST_WAITING) socket.pause();
  });
  return turn;
}

function passOn(socket: Socket, turn: Turn): void {
  const next = turn.waiting.shift();
  turn.current = next?.request ?? null;
  if (turn.waiting.length === MOST_WAITING - 1) socket.resume();
  next?.begin();
}
