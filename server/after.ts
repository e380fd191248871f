/** Runs once after a time; the result cancels it. What takes a clock as a dependency is given this one. */
export function after(delayMs: number, run: () => void): () => void {
  const timer = setTimeout(run, delayMs);
  return () => clearTimeout(timer);
}
