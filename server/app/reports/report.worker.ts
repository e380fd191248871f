// The threads of reports. Video, positions and answers come first where processors are few, also while the program is loaded.
import { giveWay } from '../../process/giveWay.ts';

async function main(): Promise<void> {
  giveWay();
  const { runThread } = await import('./reportProgram.ts');
  await runThread();
}

main().catch((error: unknown) => {
  // Ends the thread, which the main thread is notified of.
  throw error;
});
