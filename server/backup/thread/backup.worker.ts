// The thread of a backup. Beside a gateway, video, positions and answers take precedence where processors are few, even while the program
// is loaded.
import { workerData } from 'node:worker_threads';
import { giveWay } from '../../process/giveWay.ts';
import type { BackupThreadData } from './messages.ts';

async function main(): Promise<void> {
  if ((workerData as BackupThreadData).waits) giveWay();
  const { runThread } = await import('./backupProgram.ts');
  await runThread();
}

main().catch((error: unknown) => {
  // This ends the thread, which the main one notices.
  throw error;
});
