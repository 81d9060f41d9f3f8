let ahead = 0;

/** The time of the system that the commands work on: this machine's, or that of a sandbox, whose clock is moved. */
export function present(): Date {
  return new Date(Date.now() + ahead);
}

/** From now on it is `now` there. */
export function setPresent(now: Date): void {
  ahead = now.getTime() - Date.now();
}
