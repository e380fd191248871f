// The thread of a backup. Beside a gateway, video, positions and answers come first where processors are few, also while the program is
// loaded.
import { workerData } from 'node:worker_threads';
import { giveWay } from '../../process/giveWay.ts';
import type { BackupThreadData } from './messages.ts';

async function main(): Promise<void> {
  if ((workerData as BackupThreadData).waits) giveWay();
  const { runThread } = await import('./backupProgram.ts');
  await runThread();
}

main().catch((error: unknown) => {
  // Ends the thread, of which the main one is told.
  throw error;
});
