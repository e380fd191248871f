// A backup of a large installation, its test and its restore, and what they cost those who work meanwhile. Method: docs/bench.md.
import { type ChildProcess, fork } from 'node:child_process';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { openDatabase } from '../../../server/store/engine/database.ts';
import { createTempFolder } from '../../support/tempFolder.ts';
import { besideProgram } from '../besideProgram.ts';
import { messageOf } from '../messageOf.ts';
import type { ViewersReport } from '../relay/messages.ts';
import { percentile, rounded } from '../statistics.ts';
import type { Row } from '../table.ts';
import { fillLarge } from './fill.ts';
import type { GatewayReady, Performed, ToGateway, Watched, Work } from './messages.ts';

export interface BackupBenchOptions {
  readonly events: number;
  readonly seconds: number;
  readonly onProgress: (text: string) => void;
}

/** Viewers of the channel; few enough for two cores. */
const VIEWERS = 200;
/** Turns, each without work, with backups, with test restores, and beside a program that only computes. */
const TURNS = 3;
const MEGABYTE = 1_048_576;
/** Pages that SQLite's own backup copies at once; nothing else writes. */
const COPIED_PAGES = 10_000;

type Tables = Readonly<Record<string, readonly Row[]>>;

export async function benchBackup({ events, seconds, onProgress }: BackupBenchOptions): Promise<Tables> {
  const folder = await createTempFolder();
  const file = join(folder.path, 'fleetglass.db');
  try {
    onProgress(`backup: ${events} events and ${4 * events} positions, half of them packed, are stored`);
    await fillFile(file, events);
    const copyMs = await copyMsOf(file, join(folder.path, 'copy.db'));
    const gateway = start('gateway.ts', [folder.path]);
    try {
      const { port } = await messageOf<GatewayReady>(gateway);
      const performed = await performAll(gateway, onProgress);
      const windows = await watchAll(gateway, { port, seconds }, onProgress);
      return {
        backup: [await backupRow(performed, file, copyMs)],
        'backups read back': (['load', 'build'] as const).map((work) => readRow(work, performed[work])),
        'beside backups': [
          besideRow('a backup', windows.none, windows.write),
          besideRow('a test restore', windows.none, windows.load),
          besideRow('a program that computes', windows.none, windows.beside),
        ],
      };
    } finally {
      gateway.kill('SIGKILL');
    }
  } finally {
    await folder.remove();
  }
}

async function fillFile(file: string, events: number): Promise<void> {
  const { db, close } = await openDatabase({ engine: 'sqlite', file });
  try {
    await fillLarge(db, events);
  } finally {
    await close();
  }
}

async function copyMsOf(file: string, copy: string): Promise<number> {
  const database = new Database(file, { readonly: true });
  const startedMs = performance.now();
  await database.backup(copy, { progress: () => COPIED_PAGES });
  const ms = performance.now() - startedMs;
  database.close();
  await rm(copy);
  return ms;
}

async function performAll(
  gateway: ChildProcess,
  onProgress: (text: string) => void,
): Promise<Readonly<Record<Work, Performed>>> {
  const perform = async (work: Work): Promise<Performed> => {
    tell(gateway, { type: 'perform', work });
    const performed = await messageOf<Performed>(gateway);
    onProgress(`backup: ${work}: ${rounded(performed.ms / 1_000)} s`);
    return performed;
  };
  return { write: await perform('write'), load: await perform('load'), build: await perform('build') };
}

interface Window extends Omit<Watched, 'type'> {
  readonly delaysMs: readonly number[];
}

interface Windows {
  readonly none: Window[];
  readonly write: Window[];
  readonly load: Window[];
  /** Windows beside a program that only computes. */
  readonly beside: Window[];
}

async function watchAll(
  gateway: ChildProcess,
  given: { readonly port: number; readonly seconds: number },
  onProgress: (text: string) => void,
): Promise<Windows> {
  const windows: Windows = { none: [], write: [], load: [], beside: [] };
  for (let turn = 0; turn < TURNS; turn++) {
    onProgress(`backup: turn ${turn + 1} of ${TURNS}`);
    windows.none.push(await watch(gateway, given, undefined));
    windows.write.push(await watch(gateway, given, 'write'));
    windows.load.push(await watch(gateway, given, 'load'));
    windows.beside.push(await besideProgram(() => watch(gateway, given, undefined)));
  }
  return windows;
}

async function watch(
  gateway: ChildProcess,
  { port, seconds }: { readonly port: number; readonly seconds: number },
  work: Work | undefined,
): Promise<Window> {
  const viewers = start('../relay/viewers.ts', [String(port), String(VIEWERS), String(seconds)]);
  await messageOf(viewers);
  tell(gateway, { type: 'begin', work });
  const { delaysMs } = await messageOf<ViewersReport>(viewers);
  tell(gateway, { type: 'end' });
  const { longestMs, commitsMs } = await messageOf<Watched>(gateway);
  return { delaysMs, longestMs, commitsMs };
}

async function backupRow({ write }: Readonly<Record<Work, Performed>>, file: string, copyMs: number): Promise<Row> {
  const { size } = await stat(file);
  return {
    rows: write.rows,
    'rows/s': rounded(write.rows / (write.ms / 1_000), 0),
    'at least': 150_000,
    s: rounded(write.ms / 1_000),
    "SQLite's own s": rounded(copyMs / 1_000),
    'time to its own': rounded(write.ms / copyMs, 2),
    'database MB': rounded(size / MEGABYTE, 0),
    'backup MB': rounded(write.bytes / MEGABYTE, 0),
    'growth MB': rounded(write.growthBytes / MEGABYTE, 0),
    'growth at most': 200,
  };
}

function readRow(work: 'load' | 'build', { rows, ms, growthBytes }: Performed): Row {
  return {
    work: work === 'load' ? 'test restore' : 'restore',
    rows,
    'rows/s': rounded(rows / (ms / 1_000), 0),
    'at least': 50_000,
    s: rounded(ms / 1_000),
    'growth MB': rounded(growthBytes / MEGABYTE, 0),
    'growth at most': 200,
  };
}

function besideRow(name: string, without: readonly Window[], beside: readonly Window[]): Row {
  const delay = (windows: readonly Window[]): number =>
    percentile(
      windows.flatMap(({ delaysMs }) => delaysMs),
      0.95,
    );
  const commit = (windows: readonly Window[]): number =>
    percentile(
      windows.flatMap(({ commitsMs }) => commitsMs),
      0.99,
    );
  const longest = (windows: readonly Window[]): number => rounded(Math.max(...windows.map((each) => each.longestMs)));
  return {
    beside: name,
    viewers: VIEWERS,
    'relay p95 ms without': rounded(delay(without), 2),
    with: rounded(delay(beside), 2),
    ratio: rounded(delay(beside) / delay(without), 2),
    'at most': 1.1,
    'commit p99 ms without': rounded(commit(without)),
    'commit p99 ms': rounded(commit(beside)),
    'longest pause ms without': longest(without),
    'longest pause ms': longest(beside),
  };
}

function start(script: string, args: readonly string[]): ChildProcess {
  return fork(join(import.meta.dirname, script), args, { execArgv: ['--import', 'tsx'] });
}

function tell(gateway: ChildProcess, message: ToGateway): void {
  gateway.send(message);
}
