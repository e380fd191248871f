// Ten thousand terminals on one gateway: how long until a position is stored, and what a terminal costs. Method: docs/bench.md.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Stores } from '../../../server/store/stores.ts';
import { startProduct } from '../../support/gateway/product.ts';
import { waitFor } from '../../support/waitFor.ts';
import { percentile, rounded } from '../statistics.ts';
import type { Row } from '../table.ts';
import { deviceIdOf, type FleetOrder, type FromFleet, type SentPosition, type ToFleet } from './messages.ts';
import { rowKey, type SeenRows, watchRows } from './rowWatch.ts';

export interface TerminalsOptions {
  readonly devices: number;
  readonly seconds: number;
  readonly onProgress: (text: string) => void;
  /** What else the gateway's database has. */
  readonly prepare?: (stores: Stores) => Promise<void>;
}

const FIRST_DEVICE = 14_000_000_000;
const POSITION_SECONDS = 10;
const PROCESSES = 2;
/** Of each process: a thousand in the same moment would measure the listener's queue. */
const DIALS_PER_SECOND = 250;
/** The buffer's half second and a slow machine's commit. */
const SETTLE_MS = 5_000;
const SIGN_IN_SECONDS = 150;

export async function benchTerminals(options: TerminalsOptions): Promise<Row[]> {
  const { devices, seconds, onProgress, prepare } = options;
  onProgress(`${devices} devices are made`);
  const product = await startProduct(async (stores) => {
    await addDevices(stores, devices);
    await prepare?.(stores);
  });
  const watch = watchRows(join(product.dataDir, 'fleetglass.db'));
  const fleets: ChildProcess[] = [];
  try {
    const before = await residentKib(product.processId());
    onProgress('they sign in');
    for (let index = 0; index < PROCESSES; index++) fleets.push(startFleet(index, devices, product.jt808Port));
    for (const fleet of fleets) fleet.on('message', (from: FromFleet) => tellProgress(from, onProgress));
    await Promise.race([
      Promise.all(fleets.map((fleet) => message(fleet, 'online'))),
      failAfter(SIGN_IN_SECONDS, 'not all terminals were signed in'),
    ]);
    const online = await residentKib(product.processId());
    onProgress(`they report for ${seconds} s`);
    const cpuBefore = await cpuSeconds(product.processId());
    for (const fleet of fleets) tell(fleet, { type: 'start' });
    await setTimeout(seconds * 1_000);
    const cpu = (await cpuSeconds(product.processId())) - cpuBefore;
    const reports = await Promise.all(
      fleets.map((fleet) => {
        tell(fleet, { type: 'stop' });
        return message(fleet, 'sent');
      }),
    );
    const sent = reports.flatMap(({ positions }) => positions);
    await settled(sent, watch.seen);
    const after = await residentKib(product.processId());
    return [
      {
        terminals: devices,
        cut: reports.reduce((total, report) => total + report.cut, 0),
        ...delays(sent, watch.seen),
        'CPU s/s': rounded(cpu / seconds, 2),
        'KiB a terminal, signed in': rounded((online - before) / devices),
        'and at the end': rounded((after - before) / devices),
      },
    ];
  } finally {
    for (const fleet of fleets) fleet.kill('SIGKILL');
    watch.close();
    await product.stop();
  }
}

function tellProgress(from: FromFleet, onProgress: (text: string) => void): void {
  if (from.type === 'progress') onProgress(`${from.online} are signed in, ${from.cut} were cut`);
}

async function failAfter(seconds: number, reason: string): Promise<never> {
  await setTimeout(seconds * 1_000, undefined, { ref: false });
  throw new Error(`${reason} within ${seconds} s`);
}

async function addDevices(stores: Stores, count: number): Promise<void> {
  for (let device = FIRST_DEVICE; device < FIRST_DEVICE + count; device++) {
    const deviceId = deviceIdOf(device);
    const terminal = { canonical: String(device), raw: String(device).padStart(20, '0') };
    await stores.devices.insert({ deviceId, name: deviceId, chn: 1, terminal });
  }
}

function startFleet(index: number, devices: number, port: number): ChildProcess {
  const count = Math.floor(devices / PROCESSES) + (index < devices % PROCESSES ? 1 : 0);
  const first = FIRST_DEVICE + index * Math.ceil(devices / PROCESSES);
  const order: FleetOrder = {
    port,
    first,
    count,
    dialsPerSecond: DIALS_PER_SECOND,
    positionSeconds: POSITION_SECONDS,
  };
  return fork(join(import.meta.dirname, 'fleetProcess.ts'), [JSON.stringify(order)], {
    execArgv: ['--import', 'tsx'],
  });
}

function tell(fleet: ChildProcess, order: ToFleet): void {
  fleet.send(order);
}

async function message<Type extends FromFleet['type']>(
  fleet: ChildProcess,
  type: Type,
): Promise<FromFleet & { readonly type: Type }> {
  for (;;) {
    const [from] = (await once(fleet, 'message')) as [FromFleet];
    if (from.type === 'failed') throw new Error(from.reason);
    if (from.type === type) return from as FromFleet & { readonly type: Type };
  }
}

const keyOf = ([device, seconds]: SentPosition): string => rowKey(deviceIdOf(device), seconds);

/** What has not come by the deadline is lost, and counted so. */
async function settled(sent: readonly SentPosition[], seen: SeenRows): Promise<void> {
  const isThere = (): boolean => sent.every((position) => seen.has(keyOf(position)));
  await waitFor('every position in the database', isThere, Boolean, SETTLE_MS).catch(() => undefined);
}

function delays(sent: readonly SentPosition[], seen: SeenRows): Row {
  const delaysMs = sent.flatMap((position) => {
    const seenAt = seen.get(keyOf(position));
    return seenAt === undefined ? [] : [seenAt - position[2]];
  });
  return {
    sent: sent.length,
    lost: sent.length - delaysMs.length,
    'p50 ms': rounded(percentile(delaysMs, 0.5), 0),
    'p99 ms': rounded(percentile(delaysMs, 0.99), 0),
    'max ms': rounded(percentile(delaysMs, 1), 0),
  };
}

async function residentKib(processId: number): Promise<number> {
  const text = await readFile(`/proc/${processId}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(text)?.[1]);
}

async function cpuSeconds(processId: number): Promise<number> {
  const text = await readFile(`/proc/${processId}/stat`, 'utf8');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}
