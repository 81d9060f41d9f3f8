import { createHash } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import type { FastifySessionObject } from "@fastify/session";
import type { Session } from "fastify";

type Done = (error?: Error) => void;

/** Sessions outlive a restart, so that a merchant who is at Partner Connect just then can come back. Ids are kept as hashes. */
export class SessionStore {
  readonly #database: DatabaseSync;
  readonly #lifetimeMs: number;

  constructor(database: DatabaseSync, lifetimeMs: number) {
    this.#database = database;
    this.#lifetimeMs = lifetimeMs;
  }

  set(id: string, session: Session, done: Done): void {
    const now = Date.now();
    this.#database.prepare("DELETE FROM sessions WHERE expires_at <= ?").run(now);
    this.#database
      .prepare("INSERT OR REPLACE INTO sessions (id_hash, session, expires_at) VALUES (?, ?, ?)")
      .run(hash(id), JSON.stringify(session), now + this.#lifetimeMs);
    done();
  }

  get(id: string, done: (error: Error | null, session?: FastifySessionObject | null) => void): void {
    const row = this.#database
      .prepare("SELECT session FROM sessions WHERE id_hash = ? AND expires_at > ?")
      .get(hash(id), Date.now());
    done(null, row ? JSON.parse(String(row["session"])) : null);
  }

  destroy(id: string, done: Done): void {
    this.#database.prepare("DELETE FROM sessions WHERE id_hash = ?").run(hash(id));
    done();
  }
}

function hash(id: string): string {
  return createHash("sha256").update(id).digest("base64url");
}
