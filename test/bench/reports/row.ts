// Reports of a month of a fleet, and what they cost the viewers of a channel. Method: docs/bench.md.
import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { openDatabase } from '../../../server/store/engine/database.ts';
import { createTempFolder } from '../../support/tempFolder.ts';
import { besideProgram } from '../besideProgram.ts';
import { messageOf } from '../messageOf.ts';
import type { ViewersReport } from '../relay/messages.ts';
import { median, percentile, rounded } from '../statistics.ts';
import type { Row } from '../table.ts';
import { type FilledFleet, fillFleet, POSITIONS_A_VEHICLE } from './fill.ts';
import type { GatewayReady, Paused, ToGateway, Worked } from './messages.ts';
import { recomputeTrips } from './recompute.ts';

export interface ReportsBenchOptions {
  readonly vehicles: number;
  readonly seconds: number;
  readonly onProgress: (text: string) => void;
}

/** Viewers of the channel; few enough for two cores. */
const VIEWERS = 200;
/** Turns, each without reports, with them, and beside a program that only computes. */
const TURNS = 3;
const MEGABYTE = 1_048_576;

interface Window extends Omit<Paused, 'type'> {
  readonly delaysMs: readonly number[];
}

interface Windows {
  readonly without: Window[];
  readonly with: Window[];
  readonly beside: Window[];
}

export async function benchReports({
  vehicles,
  seconds,
  onProgress,
}: ReportsBenchOptions): Promise<Record<string, readonly Row[]>> {
  const folder = await createTempFolder();
  try {
    onProgress(`${vehicles * POSITIONS_A_VEHICLE} positions are stored`);
    const fleet = await fill(folder.path, vehicles);
    onProgress('trips are worked out anew');
    const recomputed = await recomputeTrips(join(folder.path, 'bench.db'), fleet);
    const gateway = start('gateway.ts', [folder.path, String(fleet.userId), String(fleet.memberGroup)]);
    try {
      const { port } = await messageOf<GatewayReady>(gateway);
      const windows: Windows = { without: [], with: [], beside: [] };
      const worked: Worked[] = [];
      for (let turn = 0; turn < TURNS; turn++) {
        onProgress(`turn ${turn + 1} of ${TURNS}`);
        windows.without.push(await watch(gateway, { port, seconds }));
        windows.with.push(await watch(gateway, { port, seconds, worked }));
        windows.beside.push(await besideProgram(() => watch(gateway, { port, seconds })));
      }
      return {
        reports: reportRows(worked),
        'xlsx of trips': [fileRow(worked)],
        'viewers beside reports': [viewersRow(windows)],
        'trips recomputed from positions': [recomputed],
      };
    } finally {
      gateway.kill('SIGKILL');
    }
  } finally {
    await folder.remove();
  }
}

async function fill(folder: string, vehicles: number): Promise<FilledFleet> {
  const database = await openDatabase({ engine: 'sqlite', file: join(folder, 'bench.db') });
  try {
    return await fillFleet(database.db, vehicles);
  } finally {
    await database.close();
  }
}

interface Watched {
  readonly port: number;
  readonly seconds: number;
  /** Reports that were made one after another meanwhile. */
  readonly worked?: Worked[];
}

async function watch(gateway: ChildProcess, { port, seconds, worked }: Watched): Promise<Window> {
  const viewers = start('../relay/viewers.ts', [String(port), String(VIEWERS), String(seconds)]);
  await messageOf(viewers);
  tell(gateway, 'begin');
  let isOver = false;
  const watched = messageOf<ViewersReport>(viewers).then((report) => {
    isOver = true;
    return report;
  });
  while (worked !== undefined && !isOver) {
    tell(gateway, 'work');
    worked.push(await messageOf<Worked>(gateway));
  }
  const { delaysMs } = await watched;
  tell(gateway, 'end');
  const { longestMs, busy } = await messageOf<Paused>(gateway);
  return { delaysMs, longestMs, busy };
}

function reportRows(worked: readonly Worked[]): Row[] {
  const kinds = worked[0]?.reports.map(({ kind }) => kind) ?? [];
  return kinds.map((kind) => {
    const made = worked.flatMap(({ reports }) => reports.filter((report) => report.kind === kind));
    const times = made.map(({ ms }) => ms / 1_000);
    return {
      report: kind,
      rows: made[0]?.rows ?? 0,
      'median s': rounded(median(times), 2),
      'max s': rounded(Math.max(...times), 2),
    };
  });
}

function fileRow(worked: readonly Worked[]): Row {
  const files = worked.map(({ file }) => file);
  return {
    rows: files[0]?.rows ?? 0,
    'median s': rounded(median(files.map(({ ms }) => ms / 1_000)), 2),
    'file MB': rounded((files[0]?.bytes ?? 0) / MEGABYTE),
    'growth MB, first': rounded((files[0]?.growthBytes ?? 0) / MEGABYTE),
    'growth MB, most': rounded(Math.max(...files.map(({ growthBytes }) => growthBytes)) / MEGABYTE),
  };
}

function viewersRow(windows: Windows): Row {
  const p95 = (of: readonly Window[]): number =>
    percentile(
      of.flatMap(({ delaysMs }) => delaysMs),
      0.95,
    );
  const longest = (of: readonly Window[]): number => rounded(Math.max(...of.map(({ longestMs }) => longestMs)));
  const busy = (of: readonly Window[]): number => rounded(median(of.map((each) => each.busy)), 3);
  return {
    viewers: VIEWERS,
    'p95 ms without': rounded(p95(windows.without), 2),
    'p95 ms with': rounded(p95(windows.with), 2),
    'with to without': rounded(p95(windows.with) / p95(windows.without), 2),
    'beside a program to without': rounded(p95(windows.beside) / p95(windows.without), 2),
    'longest pause ms without': longest(windows.without),
    'longest pause ms with': longest(windows.with),
    'main thread s/s without': busy(windows.without),
    'main thread s/s with': busy(windows.with),
  };
}

function start(script: string, args: readonly string[]): ChildProcess {
  return fork(join(import.meta.dirname, script), args, { execArgv: ['--import', 'tsx'] });
}

function tell(gateway: ChildProcess, message: ToGateway): void {
  gateway.send(message);
}
