// What a worker of the test run keeps for all of its files, and gives back when it ends.

const endings: (() => void)[] = [];

/** Calls `end` when this process ends, and not later: what it does must be done when it returns. */
export function atWorkerEnd(end: () => void): void {
  // The run ends its workers by this signal, which without a listener runs no `exit` listener either.
  if (endings.length === 0) process.once('SIGTERM', () => process.exit()).once('exit', runAll);
  endings.push(end);
}

function runAll(): void {
  for (const end of endings) end();
}
