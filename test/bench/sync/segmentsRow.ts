// Minutes of an MP4 as a recorder of another make writes it, until they are segments that the database knows.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createReadRecording } from '../../../server/app/sync/ingestThreads.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { clipFile } from '../../support/sync/deviceFiles.ts';
import { createIngestScene, FROM } from '../../support/sync/ingestScene.ts';
import { median, rounded } from '../statistics.ts';
import type { Row } from '../table.ts';

const MINUTES = 20;
const SPAN_MS = MINUTES * 60_000;
const ROUNDS = 3;

export async function benchSegmentsFromMp4(ffmpegPath: string): Promise<Row[]> {
  const scene = await createIngestScene(
    createReadRecording({
      runAfter: () => () => undefined,
      onFault: (error) => {
        throw error;
      },
    }),
  );
  try {
    const path = join(scene.folder.path, 'bench.mp4');
    await writeMp4(ffmpegPath, path);
    const times: number[] = [];
    let bytes = 0;
    for (let channel = 1; channel <= ROUNDS; channel++) {
      const target = scene.target({ channel, deviceToMs: wallMs(FROM + SPAN_MS) });
      const startMs = performance.now();
      const outcome = await scene.ingest.file(path, target, new AbortController().signal);
      times.push(performance.now() - startMs);
      if (outcome.kind !== 'stored' || outcome.addedMs < SPAN_MS * 0.99) throw new Error(JSON.stringify(outcome));
      bytes = outcome.bytes;
    }
    const ms = median(times);
    return [
      {
        'segments from': `MP4 of ${MINUTES} minutes`,
        'times real time': rounded(SPAN_MS / ms, 0),
        'MB/s': rounded(bytes / 1e6 / (ms / 1000)),
        'at least': 200,
      },
    ];
  } finally {
    await scene.close();
  }
}

async function writeMp4(ffmpegPath: string, path: string): Promise<void> {
  // The clip is a minute long, and its beginning follows its end.
  const minute = await readFile(clipFile('road'));
  await writeFile(`${path}.h264`, Buffer.concat(Array.from({ length: MINUTES }, () => minute)));
  const input = ['-framerate', '25', '-i', `${path}.h264`];
  const sound = ['-f', 'lavfi', '-i', 'sine=440:sample_rate=16000', '-t', String(MINUTES * 60)];
  const output = ['-c:v', 'copy', '-c:a', 'aac', '-ac', '1', path];
  const ffmpeg = spawn(ffmpegPath, ['-v', 'error', '-y', ...input, ...sound, ...output], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [exitCode] = await once(ffmpeg, 'close');
  if (exitCode !== 0) throw new Error(`ffmpeg ended with ${String(exitCode)}`);
}
