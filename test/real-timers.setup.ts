import { afterEach, vi } from "vitest";

/** Fake timers end with their test. */
afterEach(() => void vi.useRealTimers());
