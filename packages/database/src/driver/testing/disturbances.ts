import { setTimeout as pause } from "node:timers/promises";
import type { Door } from "@partner-connect/service-runtime/testing";
import type { DriverPool } from "../../pool/connect.ts";

/** The connections that are disturbed, as pg_stat_activity names them. */
export const DISTURBED = "disturbed";

export interface Place {
  /** The pool that is asked. */
  readonly sql: DriverPool;
  /** As an operator, on connections of their own. */
  readonly operator: DriverPool;
  /** What the pool's connections go through. */
  readonly door: Door;
}

export type Disturbance = (place: Place) => PromiseLike<unknown>;

const alter =
  (column: string, type: string): Disturbance =>
  async ({ operator }) =>
    await operator.unsafe(`ALTER TABLE kept ALTER COLUMN ${column} TYPE ${type}`);

/** Through the pool itself, whose callers may end it: that it fails is nothing. */
const statement =
  (text: string): Disturbance =>
  async ({ sql }) =>
    await sql.unsafe(text).catch(() => {});

const cancels: Disturbance = ({ operator }) =>
  operator`
    SELECT pg_cancel_backend(pid), pg_sleep(0.001)
    FROM generate_series(1, 30), (SELECT pid FROM pg_stat_activity WHERE application_name = ${DISTURBED}) backend`;

const ends =
  (most: number): Disturbance =>
  ({ operator }) =>
    operator`
      SELECT pg_terminate_backend(pid)
      FROM (SELECT pid FROM pg_stat_activity WHERE application_name = ${DISTURBED} LIMIT ${most}) backend`;

const pauseOf = (milliseconds: number, isCut: boolean): Disturbance => {
  return async ({ door }) => {
    door.hold();
    await pause(milliseconds);
    if (isCut) door.cut();
    door.goOn();
  };
};

export const DISTURBANCES: readonly Disturbance[] = [
  alter("name", "varchar"),
  alter("number", "bigint"),
  statement("DEALLOCATE ALL"),
  statement("SELECT pg_sleep(60)"),
  alter("name", "text"),
  cancels,
  alter("number", "integer"),
  ends(1),
  statement("DISCARD ALL"),
  pauseOf(100, false),
  ends(10),
  pauseOf(50, true),
];
