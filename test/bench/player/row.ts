// Server send to picture, ours beside mpegts.js, on the same pictures. Method: docs/bench.md.
import { join } from 'node:path';
import type { Row } from '../table.ts';
import { makeFlvClip } from './benchClip.ts';
import { type FlvClip, parseFlv } from './flv.ts';
import { measurePlayer, type PlayerUnderTest, type Run, summarise, type Window } from './measure.ts';
import { startPictureServer } from './pictureServer.ts';

const PLAYERS: readonly PlayerUnderTest[] = [
  { name: 'fleetglass', path: (channels) => `/live/BENCH@${2 ** channels - 1}/bench/bench?trace=1` },
  { name: 'mpegts.js', path: (channels) => `/mpegts.html?channels=${channels}` },
];

const WINDOW: Window = { warmUpMs: 5_000, lengthMs: 30_000 };
const CLIP_SECONDS = 50;

export interface PlayerBenchOptions {
  readonly channels: readonly number[];
  readonly repetitions: number;
  readonly ffmpegPath: string;
  readonly cacheFolder: string;
}

export async function benchPlayers(options: PlayerBenchOptions): Promise<Row[]> {
  const clips = await makeClips(Math.max(...options.channels), options);
  const server = await startPictureServer(clips);
  try {
    const rows: Row[] = [];
    for (const channels of options.channels) {
      const runs = new Map<string, Run[]>(PLAYERS.map(({ name }) => [name, []]));
      // In turn, so that a machine that slows down slows both.
      for (let repetition = 0; repetition < options.repetitions; repetition++) {
        for (const player of PLAYERS) {
          runs.get(player.name)?.push(await measurePlayer(player, channels, { server, window: WINDOW }));
        }
      }
      for (const [name, list] of runs) rows.push(summarise(name, channels, list));
    }
    return rows;
  } finally {
    await server.close();
  }
}

async function makeClips(count: number, { cacheFolder, ffmpegPath }: PlayerBenchOptions): Promise<FlvClip[]> {
  const clips: FlvClip[] = [];
  for (let channel = 1; channel <= count; channel++) {
    const shape = { width: 704, height: 576, kbps: 800, seconds: CLIP_SECONDS, channel };
    clips.push(parseFlv(await makeFlvClip(shape, join(cacheFolder, 'clips'), ffmpegPath)));
  }
  return clips;
}
