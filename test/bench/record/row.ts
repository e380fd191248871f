// How many channels of 1 Mbit/s one gateway records while eight of them are watched, and how that compares to bare writing.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import { createTempFolder } from '../../support/tempFolder.ts';
import { median, percentile, rounded } from '../statistics.ts';
import type { Row } from '../table.ts';
import { FRAME_MS, type RecorderReady, type RecorderReport, WATCHED } from './messages.ts';
import { bareThroughput, recorderThroughput } from './throughput.ts';

const STEPS = [100, 200, 300, 400];
const SECONDS = 20;
const MAX_DELAY_MS = 50;
const ROUNDS = 3;

export async function benchRecord(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const channels of STEPS) rows.push(await measure(channels));
  return rows;
}

/** Megabytes a second of both, in turn, and their ratio. */
export async function benchRecordThroughput(): Promise<Row[]> {
  const ours: number[] = [];
  const bare: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    ours.push(await inFolder(recorderThroughput));
    bare.push(await inFolder(bareThroughput));
  }
  const ratio = rounded(median(ours) / median(bare), 2);
  return [{ 'recorder MB/s': rounded(median(ours)), 'bare loop MB/s': rounded(median(bare)), ratio }];
}

async function inFolder<T>(run: (folder: string) => Promise<T>): Promise<T> {
  const folder = await createTempFolder();
  try {
    return await run(folder.path);
  } finally {
    await folder.remove();
  }
}

function measure(channels: number): Promise<Row> {
  return inFolder(async (folder) => {
    const args = [String(channels), String(SECONDS), folder];
    const child = fork(join(import.meta.dirname, 'gateway.ts'), args, { execArgv: ['--import', 'tsx'] });
    try {
      const [ready] = (await once(child, 'message')) as [RecorderReady];
      const viewers = Array.from({ length: WATCHED }, (_, at) => openViewer(ready.port, at + 1));
      const [report] = (await once(child, 'message')) as [RecorderReport];
      return toRow(channels, report, viewers);
    } finally {
      child.kill('SIGKILL');
    }
  });
}

interface Viewing {
  received: number;
  readonly delaysMs: number[];
}

function openViewer(port: number, channel: number): Viewing {
  const viewing: Viewing = { received: 0, delaysMs: [] };
  const path = `/stream/liveview/video.fuho?deviceid=BENCH&channel=${channel}&audio=0&username=u&credential=c`;
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, { perMessageDeflate: false });
  socket.on('message', (data: Buffer) => {
    viewing.received++;
    viewing.delaysMs.push(Date.now() - Number(data.readBigInt64BE(16)));
  });
  socket.on('error', () => socket.terminate());
  return viewing;
}

function toRow(channels: number, report: RecorderReport, viewers: readonly Viewing[]): Row {
  const delayP95 = percentile(
    viewers.flatMap(({ delaysMs }) => delaysMs),
    0.95,
  );
  const received = viewers.reduce((sum, each) => sum + each.received, 0);
  const share = received / ((WATCHED * SECONDS * 1_000) / FRAME_MS);
  const isKept = report.droppedPackets === 0 && report.failures === 0 && delayP95 <= MAX_DELAY_MS && share > 0.98;
  return {
    channels,
    kept: isKept ? 'yes' : 'no',
    dropped: report.droppedPackets,
    'viewer p95 ms': rounded(delayP95),
    'seen %': rounded(share * 100),
    'CPU s/s': rounded(report.cpuSeconds / SECONDS, 2),
    'held MB': rounded(report.heldBytes / 1e6),
    'disk/payload': rounded(report.diskBytes / report.payloadBytes, 4),
  };
}
