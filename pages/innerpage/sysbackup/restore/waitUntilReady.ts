// Waits while the gateway restores a backup.

const PAUSE_MS = 2_000;

/** Asks again and again, first after a pause: false once it was aborted. */
export async function waitUntilReady(
  isReady: (signal: AbortSignal) => Promise<boolean>,
  signal: AbortSignal,
  pauseMs = PAUSE_MS,
): Promise<boolean> {
  do {
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    if (signal.aborted) return false;
  } while (!(await isReady(signal)));
  return !signal.aborted;
}
