// `npm run bench`: prints each table and writes the same figures to test/output/bench.json.
import { mkdir, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { EXIT_WRONG_ARGUMENTS } from '../../server/commands/readArguments.ts';
import { StepFailed } from '../../server/setup/child.mjs';
import { ensureBuilt } from '../../server/setup/ensure.mjs';
import { provideOrFail } from '../../server/setup/provide.mjs';
import { chromium, ffmpeg, findPostgresFolder } from '../../server/setup/tools.mjs';
import { findFfmpeg } from '../support/media/ffmpeg.ts';
import { type BenchOptions, benchUsage, readBenchOptions } from './options.ts';
import { type Row, renderTable } from './table.ts';

const output = join(import.meta.dirname, '../output');
const note = (text: string): boolean => process.stderr.write(`${text}\n`);

const EXIT_OVER_BUDGET = 1;

/** Tables by their titles. */
type Tables = Readonly<Record<string, readonly Row[]>>;

// Each part is loaded when it is measured: what is asked of the command line is answered at once.
const BENCHES: Readonly<Record<string, (options: BenchOptions) => Promise<Tables>>> = {
  player: async ({ channels, seconds, repetitions }) => {
    const found = findFfmpeg();
    if (found === undefined) throw new Error('the players are compared on pictures that ffmpeg makes; it is not here');
    const { clean, bad, reordered } = await (await import('./player/row.ts')).benchPlayers({
      channels: channels ?? [1, 4, 8],
      badNetworkChannels: channels ?? [4, 8],
      repetitions: repetitions ?? 2,
      seconds: seconds ?? 30,
      ffmpegPath: found.ffmpegPath,
      cacheFolder: output,
      onProgress: note,
    });
    return { player: clean, 'player over a bad network': bad, 'player with B pictures': reordered };
  },
  relay: async () => ({ relay: await (await import('./relay/row.ts')).benchRelay(note) }),
  terminals: async ({ devices, seconds }) => {
    const terminals = await (await import('./terminals/row.ts')).benchTerminals({
      devices: devices ?? 10_000,
      seconds: seconds ?? 30,
      warmUpSeconds: 10,
      onProgress: note,
    });
    const { storm, budget } = await (await import('./storm/row.ts')).benchStorm({
      devices: Math.ceil((devices ?? 10_000) / 2),
      seconds: seconds ?? 40,
      onProgress: note,
    });
    const stored = await (await import('./terminals/storeSpeed.ts')).benchStore(5, findPostgresFolder());
    return {
      terminals,
      'a fleet that is cut and comes back': storm,
      'what a report and a sign-in take': budget,
      'positions stored at full speed': stored,
    };
  },
  firmware: async ({ devices, seconds }) => ({
    firmware: await (await import('./firmware/row.ts')).benchFirmware({
      terminals: devices ?? 100,
      seconds: seconds ?? 10,
      onProgress: note,
    }),
  }),
  rules: async ({ devices, seconds }) =>
    (await import('./rules/row.ts')).benchRules({
      devices: devices ?? 10_000,
      seconds: seconds ?? 30,
      onProgress: note,
    }),
  fences: async ({ devices, seconds }) =>
    (await import('./fences/row.ts')).benchFences({
      devices: devices ?? 10_000,
      seconds: seconds ?? 30,
      onProgress: note,
    }),
  dashboard: async ({ devices, seconds }) => ({
    dashboard: await (await import('./dashboard/row.ts')).benchDashboard(
      devices === undefined ? [500, 10_000] : [devices],
      seconds ?? 10,
      note,
    ),
  }),
  seek: async () => ({ seek: await (await import('./seek/row.ts')).benchSeek() }),
  export: async () => {
    const found = findFfmpeg();
    if (found === undefined) throw new Error('exports are compared with those of ffmpeg; it is not here');
    return { export: await (await import('./export/row.ts')).benchExport(found.ffmpegPath) };
  },
  record: async () => {
    const { benchRecord, benchRecordThroughput } = await import('./record/row.ts');
    return { record: await benchRecord(), 'record throughput': await benchRecordThroughput() };
  },
  positions: async ({ seconds, events }) =>
    (await import('./positions/row.ts')).benchPositions({
      positions: events ?? 1_000_000,
      seconds: seconds ?? 40,
      onProgress: note,
    }),
  reading: async () => ({ reading: await (await import('./reading/row.ts')).benchReading(findPostgresFolder(), note) }),
  ranges: async () => ({ ranges: await (await import('./ranges/row.ts')).benchRanges() }),
  track: async ({ seconds }) => (await import('./track/row.ts')).benchTrack(seconds ?? 10, note),
  reports: async ({ devices, seconds }) =>
    (await import('./reports/row.ts')).benchReports({
      vehicles: devices ?? 1_000,
      seconds: seconds ?? 20,
      onProgress: note,
    }),
  sync: async () => {
    const found = findFfmpeg();
    if (found === undefined) throw new Error('segments are made from an MP4 that ffmpeg writes; it is not here');
    const transfers = await (await import('./sync/row.ts')).benchTransfers();
    const { benchSegmentsFromMp4 } = await import('./sync/segmentsRow.ts');
    return { ...transfers, 'segments from MP4': await benchSegmentsFromMp4(found.ffmpegPath) };
  },
  netflow: async ({ devices, seconds }) => {
    const { benchCounting } = await import('./netflow/counting.ts');
    const relayed = await benchCounting(seconds ?? 120, note);
    const stored = await (await import('./netflow/row.ts')).benchNetflow({
      devices: devices ?? 10_000,
      postgresPrograms: findPostgresFolder(),
      onProgress: note,
    });
    return { 'relay with data usage counted': relayed, ...stored };
  },
  backup: async ({ events, seconds }) =>
    (await import('./backup/row.ts')).benchBackup({
      events: events ?? 5_000_000,
      seconds: seconds ?? 20,
      onProgress: note,
    }),
  start: async () => ({ start: await (await import('./start/row.ts')).benchStart() }),
  events: async ({ events }) =>
    (await import('./events/row.ts')).benchEvents({
      events: events ?? 5_000_000,
      postgresPrograms: findPostgresFolder(),
      onProgress: note,
    }),
  alarm: async ({ devices, seconds }) => ({
    alarm: await (await import('./alarm/row.ts')).benchAlarm({
      devices: devices ?? 10_000,
      seconds: seconds ?? 60,
      onProgress: note,
    }),
  }),
  outbox: async ({ devices, seconds, events }) =>
    (await import('./outbox/row.ts')).benchOutbox({
      devices: devices ?? Math.ceil(50 * (seconds ?? 30)),
      seconds: seconds ?? 30,
      messages: 2 * (events ?? 500_000),
      postgresPrograms: findPostgresFolder(),
      onProgress: note,
    }),
  tables: async () => (await import('./tables/row.ts')).benchTables(findPostgresFolder(), note),
  soak: async ({ minutes }) => ({ soak: await (await import('./soak/row.ts')).benchSoak(minutes ?? 10, note) }),
};

/** Takes as long as all the others together, and is measured by its name alone. */
const USUAL = Object.keys(BENCHES).filter((name) => name !== 'soak');

/** Gives the exit code. */
async function main(args: readonly string[]): Promise<number> {
  const requests = readBenchOptions(args, Object.keys(BENCHES));
  switch (requests.kind) {
    case 'help':
      process.stdout.write(benchUsage(Object.keys(BENCHES)));
      return 0;
    case 'wrong':
      note(requests.reason);
      return EXIT_WRONG_ARGUMENTS;
    case 'run':
      return measure(requests.options);
  }
}

async function measure(options: BenchOptions): Promise<number> {
  try {
    await prepare();
  } catch (error) {
    if (!(error instanceof StepFailed)) throw error;
    note(error.message);
    return error.exitCode;
  }
  const results: Record<string, readonly Row[]> = {};
  let exitCode = 0;
  for (const name of options.names.length === 0 ? USUAL : options.names) {
    for (const [title, rows] of Object.entries((await BENCHES[name]?.(options)) ?? {})) {
      results[title] = rows;
      process.stdout.write(`\n## ${title}\n\n${renderTable(rows)}\n`);
      if (rows.every((row) => row['within budget'] !== 'no')) continue;
      note(`"${title}" is over its budget.`);
      exitCode = EXIT_OVER_BUDGET;
    }
  }
  await mkdir(output, { recursive: true });
  const machine = { processors: cpus().length, model: cpus()[0]?.model, node: process.version };
  await writeFile(join(output, 'bench.json'), `${JSON.stringify({ machine, results }, null, 2)}\n`);
  return exitCode;
}

/** Browser, ffmpeg and the product as it stands: only when it is known that something is to be measured. */
async function prepare(): Promise<void> {
  const { env } = await provideOrFail([chromium, ffmpeg], () => true, false);
  Object.assign(process.env, env);
  await ensureBuilt();
}

process.exitCode = await main(process.argv.slice(2));
