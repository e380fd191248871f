// The thread of a backup. Beside a gateway, video, positions and answers come first where processors are few, also while the program is
// loaded.
import { constants, getPriority, platform, setPriority } from 'node:os';
import { workerData } from 'node:worker_threads';
import type { BackupThreadData } from './messages.ts';

async function main(): Promise<void> {
  if ((workerData as BackupThreadData).waits) giveWay();
  const { runThread } = await import('./backupProgram.ts');
  await runThread();
}

/** On Linux a thread has a priority of its own; elsewhere it is that of the whole process. */
function giveWay(): void {
  const { PRIORITY_LOW } = constants.priority;
  // Where the gateway itself was started with less, that stays: nobody may raise it.
  if (platform() === 'linux' && getPriority() < PRIORITY_LOW) setPriority(PRIORITY_LOW);
}

main().catch((error: unknown) => {
  // Ends the thread, of which the main one is told.
  throw error;
});
