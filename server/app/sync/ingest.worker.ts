// Reads one file that a device recorded. Video and answers come first where processors are few.
import { once } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import { giveWay } from '../../process/giveWay.ts';
import type { FromIngestThread, IngestThreadData, ToIngestThread } from './ingestMessages.ts';

async function main(): Promise<void> {
  giveWay();
  const { readFile } = await import('../../sync/readers/readFile.ts');
  const { path, hints } = workerData as IngestThreadData;
  await readFile(path, hints, {
    take: async (packets) => {
      const answer = parentPort === null ? [] : once(parentPort, 'message');
      const plain = packets.map(({ isVideo, isKey, isFormat, bytes }) => ({ isVideo, isKey, isFormat, bytes }));
      tell({ type: 'packets', packets: plain }, [...new Set(plain.map(({ bytes }) => bytes.buffer))]);
      const [message] = (await answer) as [ToIngestThread?];
      return message?.wantsMore === true;
    },
  });
  tell({ type: 'done' }, []);
  // Otherwise the port keeps the thread.
  parentPort?.close();
}

function tell(message: FromIngestThread, moved: readonly ArrayBuffer[]): void {
  parentPort?.postMessage(message, [...moved]);
}

main().catch((error: unknown) => {
  // Ends the thread, which the main thread is notified of.
  throw error;
});
