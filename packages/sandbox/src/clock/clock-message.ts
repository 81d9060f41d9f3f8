/** To a process: the offset from now on. From it: it tells this time now. */
export interface ClockMessage {
  readonly sandboxClock: true;
  /** Milliseconds. */
  readonly movedBy: number;
}

export function isClockMessage(message: unknown): message is ClockMessage {
  return typeof message === "object" && message !== null && "sandboxClock" in message;
}
