// Ten thousand terminals on one gateway: how long until a position is stored, and what a terminal costs. Method: docs/bench.md.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Stores } from '../../../server/store/stores.ts';
import { startProduct } from '../../support/gateway/product.ts';
import { waitFor } from '../../support/waitFor.ts';
import { percentile, rounded } from '../statistics.ts';
import type { Row } from '../table.ts';
import { addDevices, type FleetPart, message, signedIn, startFleets } from './fleets.ts';
import { deviceIdOf, type FromFleet, type SentPosition, type ToFleet } from './messages.ts';
import { rowKey, type SeenRows, watchRows } from './rowWatch.ts';

export interface TerminalsOptions {
  readonly devices: number;
  readonly seconds: number;
  readonly onProgress: (text: string) => void;
  /** What else the gateway's database has. It gives the group that devices are put into, if any. */
  readonly prepare?: (stores: Stores) => Promise<number | undefined>;
  /** They drive about, each on a way of its own. */
  readonly areDriving?: boolean;
  /** They report for so long before the processor's time is taken. */
  readonly warmUpSeconds?: number;
}

const POSITION_SECONDS = 10;
/** The buffer's half second and a slow machine's commit. */
const SETTLE_MS = 5_000;
const FLEET_SCRIPT = join(import.meta.dirname, 'fleetProcess.ts');

export async function benchTerminals(options: TerminalsOptions): Promise<Row[]> {
  const { devices, seconds, onProgress, prepare, areDriving = false, warmUpSeconds = 0 } = options;
  onProgress(`${devices} devices are made`);
  const product = await startProduct(async (stores) => {
    await addDevices(stores, devices, await prepare?.(stores));
  });
  const watch = watchRows(join(product.dataDir, 'fleetglass.db'));
  const fleets: FleetPart[] = [];
  try {
    const before = await residentKib(product.processId());
    onProgress('they sign in');
    const more = { positionSeconds: POSITION_SECONDS, areDriving };
    fleets.push(...startFleets(FLEET_SCRIPT, devices, product.jt808Port, more));
    await signedIn(fleets, onProgress);
    const online = await residentKib(product.processId());
    onProgress(`they report for ${warmUpSeconds + seconds} s`);
    for (const fleet of fleets) tell(fleet, { type: 'start' });
    await setTimeout(warmUpSeconds * 1_000);
    const cpuBefore = await cpuSeconds(product.processId());
    await setTimeout(seconds * 1_000);
    const cpu = (await cpuSeconds(product.processId())) - cpuBefore;
    const reports = await Promise.all(
      fleets.map((fleet) => {
        tell(fleet, { type: 'stop' });
        return message<FromFleet, 'sent'>(fleet, 'sent');
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
        'CPU s/s': rounded(cpu / seconds, 3),
        'KiB a terminal, signed in': rounded((online - before) / devices),
        'and at the end': rounded((after - before) / devices),
      },
    ];
  } finally {
    for (const fleet of fleets) fleet.process.kill('SIGKILL');
    watch.close();
    await product.stop();
  }
}

function tell(fleet: FleetPart, order: ToFleet): void {
  fleet.process.send(order);
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
