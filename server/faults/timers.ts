// Timers whose work may fail: an exception would end the process, and a rejection too.
import { faultOf, type OnFault } from './onFault.ts';

/** Runs once after a time; the result cancels it. What takes a clock as a dependency is given one of these. */
export type After = (delayMs: number, run: () => void) => () => void;

export function createRunAfter(onFault: OnFault): After {
  return (delayMs, run) => runAfter(delayMs, run, onFault);
}

/** Runs once after a time; the result cancels it. */
export function runAfter(delayMs: number, run: () => unknown, onFault: OnFault): () => void {
  const timer = setTimeout(() => attempt(run, onFault), delayMs);
  return () => clearTimeout(timer);
}

/** Runs again and again; the result ends it. */
export function runEvery(intervalMs: number, run: () => unknown, onFault: OnFault): () => void {
  const timer = setInterval(() => attempt(run, onFault), intervalMs);
  return () => clearInterval(timer);
}

/** Runs at the end of the current task, before timers. */
export function runSoon(run: () => unknown, onFault: OnFault): void {
  setImmediate(() => attempt(run, onFault));
}

function attempt(run: () => unknown, onFault: OnFault): void {
  const report = (cause: unknown): void => onFault(faultOf('the work of a timer failed', cause));
  try {
    const result = run();
    if (result instanceof Promise) result.catch(report);
  } catch (cause) {
    report(cause);
  }
}
