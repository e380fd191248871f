// Server send to picture, ours beside mpegts.js and the least that could show them, on the same pictures. Method: docs/bench.md.
import { join } from 'node:path';
import { percentile, rounded } from '../statistics.ts';
import type { Row } from '../table.ts';
import { makeFlvClip } from './benchClip.ts';
import { type FlvClip, parseFlv } from './flv.ts';
import { measurePlayer, PICTURE, type PlayerUnderTest, type Run, type Window } from './measure.ts';
import { CLEAN, type Network } from './network.ts';
import { type PictureServer, startPictureServer } from './pictureServer.ts';
import { summarise } from './summary.ts';

const PLAYERS: readonly PlayerUnderTest[] = [
  { name: 'fleetglass', path: (channels) => `/live/BENCH@${2 ** channels - 1}/bench/bench?trace=1` },
  { name: 'bare canvas', path: (channels, columns) => `/bare.html?channels=${channels}&columns=${columns}` },
  { name: 'mpegts.js', path: (channels, columns) => `/mpegts.html?channels=${channels}&columns=${columns}` },
];

const USUAL_SECONDS = 30;
const WARM_UP_MS = 5_000;
/** Start, warm-up, what is still on its way at the end, screens, and slack for a slow machine. */
const AROUND_WINDOW_SECONDS = 30;
const JITTER_MS = 60;
const B_PICTURES = 2;
const HOLE_MS = 1_000;

export interface PlayerBenchOptions {
  readonly channels: readonly number[];
  /** Channel counts over a bad network. */
  readonly badNetworkChannels: readonly number[];
  readonly repetitions: number;
  readonly seconds: number;
  readonly ffmpegPath: string;
  readonly cacheFolder: string;
  /** Told what is being measured. */
  readonly onProgress: (text: string) => void;
}

/** Three tables: what is told of a bad network has columns of its own, and B pictures are sent up to some places before they are shown. */
export async function benchPlayers(
  options: PlayerBenchOptions,
): Promise<{ readonly clean: Row[]; readonly bad: Row[]; readonly reordered: Row[] }> {
  const { channels, badNetworkChannels, seconds } = options;
  const clips = await makeClips(Math.max(...channels, ...badNetworkChannels), options);
  const measured = await withServer(clips, async (server) => ({
    clean: await measureCells(server, { ...options, network: CLEAN }),
    bad: await measureCells(server, { ...options, channels: badNetworkChannels, network: badNetwork(seconds) }),
  }));
  const reorderedClips = await makeClips(1, options, B_PICTURES);
  const reordered = await withServer(reorderedClips, (server) =>
    measureCells(server, { ...options, channels: [1], network: { ...CLEAN, name: 'B pictures' } }),
  );
  return { ...measured, reordered };
}

async function withServer<Result>(
  clips: readonly FlvClip[],
  measure: (server: PictureServer) => Promise<Result>,
): Promise<Result> {
  const server = await startPictureServer(clips);
  try {
    return await measure(server);
  } finally {
    await server.close();
  }
}

/** The hole is in the middle of the window. */
function badNetwork(seconds: number): Network {
  return {
    name: `jitter to ${JITTER_MS} ms, hole of ${HOLE_MS / 1000} s`,
    jitterMs: JITTER_MS,
    hole: { atMs: WARM_UP_MS + (seconds * 1000) / 2, lengthMs: HOLE_MS },
  };
}

async function measureCells(
  server: PictureServer,
  options: PlayerBenchOptions & { readonly network: Network },
): Promise<Row[]> {
  const { network, repetitions, seconds } = options;
  const window: Window = { warmUpMs: WARM_UP_MS, lengthMs: seconds * 1000 };
  const rows: Row[] = [];
  for (const channels of options.channels) {
    const runs = new Map<string, Run[]>(PLAYERS.map(({ name }) => [name, []]));
    // In turn, so that a machine that slows down slows both.
    for (let repetition = 1; repetition <= repetitions; repetition++) {
      for (const player of PLAYERS) {
        options.onProgress(`${player.name}, ${channels} channels, ${network.name}: ${repetition} of ${repetitions}`);
        server.use(network);
        // One player that does not start costs its run, not the hour of all the others.
        const run = await measurePlayer(player, channels, { server, window }).catch((reason: unknown) => {
          options.onProgress(`  left out: ${String(reason)}`);
        });
        if (run === undefined) continue;
        runs.get(player.name)?.push(run);
        options.onProgress(`  ${tellRun(run)}`);
      }
    }
    for (const [name, list] of runs) rows.push(summarise(name, channels, list));
  }
  return rows;
}

/** What is known of a run when it ends, should the bench not come to its own end. */
function tellRun(run: Run): string {
  const [p50, p95] = [0.5, 0.95].map((share) => rounded(percentile(run.latencyMs, share)));
  return `p50 ${p50} ms, p95 ${p95} ms, first ${rounded(run.firstMs, 0)} ms, ${rounded(run.cpuPerSecond, 2)} CPU s/s`;
}

async function makeClips(count: number, options: PlayerBenchOptions, bPictures = 0): Promise<FlvClip[]> {
  const { cacheFolder, ffmpegPath } = options;
  // Short runs share the clips of the usual one: making them takes longer than playing them.
  const seconds = Math.max(options.seconds, USUAL_SECONDS) + AROUND_WINDOW_SECONDS;
  const clips: FlvClip[] = [];
  for (let channel = 1; channel <= count; channel++) {
    const shape = { ...PICTURE, kbps: 800, seconds, channel, bPictures };
    options.onProgress(`the pictures of channel ${channel}`);
    clips.push(parseFlv(await makeFlvClip(shape, join(cacheFolder, 'clips'), ffmpegPath)));
  }
  return clips;
}
