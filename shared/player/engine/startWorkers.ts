// The door to the workers: their files are built as static files with stable names.
import type { WorkerLike } from './workerLink.ts';

export interface PlayerWorkers {
  readonly stream: WorkerLike;
  readonly video: WorkerLike;
}

export function startWorkers(): PlayerWorkers {
  return {
    stream: new Worker(new URL('../../../workers/stream/stream.worker.ts', import.meta.url), { type: 'module' }),
    video: new Worker(new URL('../../../workers/video/video.worker.ts', import.meta.url), { type: 'module' }),
  };
}
