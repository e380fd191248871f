// Thousands of terminals that are all cut at once and come back, beside a dispatcher's calls: what a sign-in, a position and a page cost then. Method: docs/bench.md.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createPasswords } from '../../../server/auth/passwords.ts';
import type { Stores } from '../../../server/store/stores.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { startProduct } from '../../support/gateway/product.ts';
import { PASSWORD } from '../../support/gateway/site.ts';
import { othersShare, processorTime } from '../../support/runner/processorTime.ts';
import { GEOFENCES, geofenceContent } from '../fences/geofences.ts';
import { configureRules } from '../rules/twentyRules.ts';
import { percentile, rounded } from '../statistics.ts';
import type { Row } from '../table.ts';
import { addDevices, type FleetPart, message, signedIn, startFleets } from '../terminals/fleets.ts';
import { budgetRow, measureYardstick, REPORT_BUDGET_US, SIGN_IN_BUDGET_US } from './budget.ts';
import { type CallTimes, callFigures } from './calls.ts';
import type { FromStorm, Measured, StormOrder, ToStorm } from './messages.ts';
import { timesOf } from './parts.ts';
import { connectProfiler, INSPECTED, NO_PROFILER, type Profiler } from './profiler.ts';

export interface StormOptions {
  readonly devices: number;
  /** After the storm; a third of it before. */
  readonly seconds: number;
  readonly onProgress: (text: string) => void;
}

const SCRIPT = join(import.meta.dirname, 'fleetProcess.ts');
const OPERATOR = 'operator';
/** What `npm start` sets too. */
const AS_STARTED = { MALLOC_ARENA_MAX: '1' };
const POSITION_SECONDS = 10;
/** Each terminal has reported once after it: a first report costs several times as much. */
const FIRST_ROUND_SECONDS = POSITION_SECONDS + 2;
/** With fewer, what the gateway does each second whatever the fleet counts for more than the reports do. */
const LEAST_JUDGED = 5_000;

export interface StormRows {
  readonly storm: readonly Row[];
  readonly budget: readonly Row[];
}

export async function benchStorm(options: StormOptions): Promise<StormRows> {
  const yardstickUs = measureYardstick();
  // The profiler itself takes memory and time: what the gateway takes is measured without it.
  const { rows } = await runStorm(options, WITHOUT_PROFILER);
  options.onProgress('storm: the same again, with a profile');
  const { signInsUs, reportsUs } = await runStorm(options, WITH_PROFILER);
  return { storm: rows, budget: budgetRows(options, { signInsUs, reportsUs }, yardstickUs) };
}

type TimesUs = ReturnType<typeof timesOf>;

/** How a gateway is started, and what watches it then. */
interface Watch {
  readonly environment: Readonly<Record<string, string>>;
  connect(log: () => string): Promise<Profiler>;
}

const WITH_PROFILER: Watch = { environment: INSPECTED, connect: connectProfiler };
const WITHOUT_PROFILER: Watch = { environment: {}, connect: () => Promise.resolve(NO_PROFILER) };

interface Storm {
  readonly rows: readonly Row[];
  readonly signInsUs: TimesUs;
  readonly reportsUs: TimesUs;
}

async function runStorm({ devices, seconds, onProgress }: StormOptions, watch: Watch): Promise<Storm> {
  onProgress(`storm: ${devices} devices are made`);
  const product = await startProduct((stores) => fill(stores, devices), { ...AS_STARTED, ...watch.environment });
  const fleets: FleetPart[] = [];
  let profiler: Profiler | undefined;
  try {
    profiler = await watch.connect(() => product.log());
    const calls = await callFigures(product.address, OPERATOR);
    const machineBefore = await processorTime();
    const usedAtStart = await usageOf(product.processId());
    await profiler.start();
    onProgress('storm: they sign in');
    const more: Omit<StormOrder, 'port' | 'first' | 'count' | 'dialsPerSecond'> = { positionSeconds: POSITION_SECONDS };
    fleets.push(...startFleets(SCRIPT, devices, product.jt808Port, more));
    await signedIn(fleets, onProgress);
    const signInsUs = timesOf(await profiler.stop());
    const firstCalls = calls.take();
    const usedToSignIn = await usageOf(product.processId());
    onProgress('storm: they report');
    tellAll(fleets, { type: 'report' });
    await delay(Math.max(seconds / 3, FIRST_ROUND_SECONDS) * 1_000);
    onProgress('storm: they are cut');
    const back = Promise.all(fleets.map((fleet) => message<FromStorm, 'back'>(fleet, 'back')));
    tellAll(fleets, { type: 'cut' });
    const backMs = Math.max(...(await back).map(({ afterMs }) => afterMs));
    await profiler.start();
    await delay(seconds * 1_000);
    const reportsUs = timesOf(await profiler.stop());
    const measured = Promise.all(fleets.map((fleet) => message<FromStorm, 'measured'>(fleet, 'measured')));
    tellAll(fleets, { type: 'stop' });
    const parts = await measured;
    const used = await usageOf(product.processId());
    const times = await calls.stop();
    const first = parts.flatMap((part) => part.firstSignInsMs);
    const returns = parts.flatMap((part) => part.signInsMs);
    const rows = [
      {
        terminals: devices,
        phase: 'first sign-in',
        ...signInFigures(first),
        ...callFiguresOf(firstCalls),
        ...usageFigures(usedAtStart, usedToSignIn),
        'back s': '',
        ...NO_RECEIPTS,
        'of others': '',
      },
      {
        terminals: devices,
        phase: 'cut and back',
        ...signInFigures(returns),
        ...callFiguresOf(times),
        ...usageFigures(usedToSignIn, used),
        'back s': rounded(backMs / 1_000, 1),
        ...receiptFigures(parts),
        'of others': rounded(othersShare(machineBefore, await processorTime()), 2),
      },
    ];
    return { rows, signInsUs, reportsUs };
  } finally {
    profiler?.close();
    for (const fleet of fleets) fleet.process.kill('SIGKILL');
    await product.stop();
  }
}

function budgetRows(
  { devices, seconds }: StormOptions,
  { signInsUs, reportsUs }: Pick<Storm, 'signInsUs' | 'reportsUs'>,
  yardstickUs: number,
): Row[] {
  const reports = (devices / POSITION_SECONDS) * seconds;
  const rows = [
    budgetRow({ what: 'a report', count: reports, timesUs: reportsUs, budgetUs: REPORT_BUDGET_US }, yardstickUs),
    budgetRow(
      { what: 'a first sign-in', count: devices, timesUs: signInsUs, budgetUs: SIGN_IN_BUDGET_US },
      yardstickUs,
    ),
  ];
  const others = { 'yardstick µs': rounded(yardstickUs, 2), ...(devices < LEAST_JUDGED && { 'within budget': '' }) };
  return rows.map((row) => ({ ...row, ...others }));
}

function tellAll(fleets: readonly FleetPart[], order: ToStorm): void {
  for (const fleet of fleets) fleet.process.send(order);
}

function signInFigures(signInsMs: readonly number[]): Row {
  return {
    'sign-in p50': rounded(percentile(signInsMs, 0.5)),
    'p95 ms': rounded(percentile(signInsMs, 0.95)),
    'max ms': rounded(percentile(signInsMs, 1), 0),
  };
}

function callFiguresOf({ tookMs, failed }: CallTimes): Row {
  return {
    'figures p50': rounded(percentile(tookMs, 0.5)),
    'figures p95': rounded(percentile(tookMs, 0.95)),
    'figures max': rounded(percentile(tookMs, 1), 0),
    calls: tookMs.length,
    failed,
  };
}

const NO_RECEIPTS = { 'position p50': '', p95: '', p99: '', unanswered: '' };

function receiptFigures(parts: readonly Measured[]): Row {
  const receiptsMs = parts.flatMap((part) => part.receiptsMs);
  return {
    'position p50': rounded(percentile(receiptsMs, 0.5)),
    p95: rounded(percentile(receiptsMs, 0.95)),
    p99: rounded(percentile(receiptsMs, 0.99)),
    unanswered: parts.reduce((sum, part) => sum + part.unanswered, 0),
  };
}

/** One operator who sees every device, with rules and geofences; trips and data usage are always on. */
async function fill(stores: Stores, devices: number): Promise<void> {
  const { memberGroups, deviceGroups, fences, users } = stores;
  const deviceGroup = await deviceGroups.insert('All');
  const memberGroup = await memberGroups.insert({ name: 'All' });
  await memberGroups.setDeviceGroups(memberGroup, [deviceGroup]);
  const passwordHash = await (await createPasswords()).hash(PASSWORD);
  const permissions = ['event', 'gps', 'report'];
  const id = await users.insert({ username: OPERATOR, passwordHash, permissions }, wallMs(Date.now()));
  await memberGroups.setGroupsOfUser(id, [memberGroup]);
  await configureRules(stores, true);
  const added = Array.from({ length: GEOFENCES }, (_, at) => geofenceContent(at));
  await fences.importMany(memberGroup, { added, changed: [] }, { username: OPERATOR, atMs: Date.now() });
  await addDevices(stores, devices, deviceGroup);
}

interface Usage {
  readonly cpuSeconds: number;
  readonly peakKib: number;
}

function usageFigures(before: Usage, after: Usage): Row {
  return {
    'CPU s': rounded(after.cpuSeconds - before.cpuSeconds, 1),
    'MiB at most': rounded(after.peakKib / 1_024, 0),
  };
}

async function usageOf(processId: number): Promise<Usage> {
  const [stat, status] = await Promise.all(
    ['stat', 'status'].map((name) => readFile(`/proc/${processId}/${name}`, 'utf8')),
  );
  const fields = (stat ?? '').slice((stat ?? '').lastIndexOf(')') + 2).split(' ');
  return {
    cpuSeconds: (Number(fields[11]) + Number(fields[12])) / 100,
    peakKib: Number(/^VmHWM:\s+(\d+) kB/m.exec(status ?? '')?.[1]),
  };
}
