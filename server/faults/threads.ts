import { Worker, type WorkerOptions } from 'node:worker_threads';

/** `onEnd` is told once why the thread is over: with the error that ended it, or without one. */
export function startThread(entry: string | URL, options: WorkerOptions, onEnd: (error: unknown) => void): Worker {
  const worker = new Worker(entry, options);
  let isOver = false;
  const end = (error: unknown): void => {
    if (isOver) return;
    isOver = true;
    onEnd(error);
  };
  worker.on('error', end);
  worker.on('messageerror', (error) => {
    end(error);
    // What the message said is lost: the two sides no longer agree on what was done.
    worker.terminate().catch(end);
  });
  worker.on('exit', () => end(undefined));
  return worker;
}
