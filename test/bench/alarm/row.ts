// From an alarm at a terminal's socket to its row on Today Event, on the built gateway with thousands of terminals. Method: docs/bench.md.
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createPasswords } from '../../../server/auth/passwords.ts';
import type { Stores } from '../../../server/store/stores.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { launchChromium } from '../../support/browser/chromium.ts';
import { startProduct } from '../../support/gateway/product.ts';
import { PASSWORD } from '../../support/gateway/site.ts';
import { othersShare, processorTime } from '../../support/runner/processorTime.ts';
import { treeCpuSeconds } from '../../support/runner/processTree.ts';
import { waitFor } from '../../support/waitFor.ts';
import { percentile, rounded } from '../statistics.ts';
import type { Row } from '../table.ts';
import { addDevices, type FleetPart, message, PROCESSES, signedIn, startFleets } from '../terminals/fleets.ts';
import { deviceIdOf } from '../terminals/messages.ts';
import { type EventPage, openEventPage } from './eventPage.ts';
import type { FromAlarmFleet, RaisedAlarm, ToAlarmFleet } from './messages.ts';

export interface AlarmOptions {
  readonly devices: number;
  /** Duration of the load. */
  readonly seconds: number;
  readonly onProgress: (text: string) => void;
}

const FLEET_SCRIPT = join(import.meta.dirname, 'fleetProcess.ts');
const OPERATOR = 'operator';
const QUIET = { alarms: 50, positionsASecond: 333, wantedP95Ms: 300 };
const LOAD = { alarmsASecond: 50, positionsASecond: 1_000, wantedP95Ms: 1_300 };
/** The least time for which the list rests before an alarm; up to half a second is added, so that nothing is in step. */
const REST_MS = 2_000;
const MORE_REST_MS = 500;
/** Duration of the load without its alarms, before they begin. */
const WARM_UP_MS = 5_000;
/** What has not been shown by then counts as lost. */
const SHOWN_WITHIN_MS = 20_000;

export async function benchAlarm({ devices, seconds, onProgress }: AlarmOptions): Promise<Row[]> {
  const alarms = Math.round(LOAD.alarmsASecond * seconds);
  // The alarms of one device would continue one event.
  if (alarms + quietDevices(PROCESSES) > devices) {
    throw new Error(`alarm: ${seconds} s of alarms take more than ${devices} devices`);
  }
  onProgress(`alarm: ${devices} devices are made`);
  const product = await startProduct((stores) => fill(stores, devices));
  const browser = await launchChromium();
  const fleets: FleetPart[] = [];
  try {
    onProgress('alarm: they sign in');
    fleets.push(...startFleets(FLEET_SCRIPT, devices, product.jt808Port));
    await signedIn(fleets, onProgress);
    const page = await openEventPage(browser, product.address, OPERATOR);
    const cpuSeconds = (): Promise<number> => treeCpuSeconds(product.processId());
    const bench: Bench = { fleets, page, cpuSeconds };
    onProgress('alarm: after a quiet time');
    const quiet = await measure('after a quiet time', QUIET, bench, () => raiseOneByOne(bench));
    onProgress('alarm: under load');
    const load = await measure('under load', LOAD, bench, () => raiseMany(bench, alarms));
    for (const { text } of page.noise) onProgress(`the page says: ${text}`);
    return [quiet, load];
  } finally {
    await browser.close();
    for (const fleet of fleets) fleet.process.kill('SIGKILL');
    await product.stop();
  }
}

interface Bench {
  readonly fleets: readonly FleetPart[];
  readonly page: EventPage;
  readonly cpuSeconds: () => Promise<number>;
}

interface Phase {
  readonly positionsASecond: number;
  readonly wantedP95Ms: number;
}

/** An alarm that is never shown fails the bench. */
async function measure(
  name: string,
  { positionsASecond, wantedP95Ms }: Phase,
  { fleets, page, cpuSeconds }: Bench,
  raise: () => Promise<readonly RaisedAlarm[]>,
): Promise<Row> {
  for (const fleet of fleets) tell(fleet, { type: 'report', perSecond: positionsASecond / fleets.length });
  await delay(WARM_UP_MS);
  const startedMs = performance.now();
  const machineBefore = await processorTime();
  const cpuBefore = await cpuSeconds();
  const alarms = await raise();
  const cpu = ((await cpuSeconds()) - cpuBefore) / ((performance.now() - startedMs) / 1_000);
  const others = othersShare(machineBefore, await processorTime());
  const shownAtMs = await shownTimes(page, alarms);
  const delaysMs = alarms.map(([device, raisedAtMs]) => (shownAtMs[deviceIdOf(device)] ?? Number.NaN) - raisedAtMs);
  return {
    alarms: name,
    raised: alarms.length,
    'positions/s': positionsASecond,
    'p50 ms': rounded(percentile(delaysMs, 0.5), 0),
    'p95 ms': rounded(percentile(delaysMs, 0.95), 0),
    'max ms': rounded(percentile(delaysMs, 1), 0),
    'p95 wanted ms': wantedP95Ms,
    'CPU s/s': rounded(cpu, 2),
    'of others': rounded(others, 2),
  };
}

/** Reads the page only once it rests, since an answer takes it a moment, which would be measured with the rest. */
async function shownTimes(page: EventPage, alarms: readonly RaisedAlarm[]): Promise<Readonly<Record<string, number>>> {
  await delay(REST_MS);
  const lost = (shownAtMs: Readonly<Record<string, number>>): number =>
    alarms.filter(([device]) => shownAtMs[deviceIdOf(device)] === undefined).length;
  const isWhole = (shownAtMs: Readonly<Record<string, number>>): boolean => lost(shownAtMs) === 0;
  return waitFor('every alarm on the page', () => page.shownAtMs(), isWhole, SHOWN_WITHIN_MS).catch(async () => {
    const missing = lost(await page.shownAtMs());
    throw new Error(`alarm: ${missing} of ${alarms.length} alarms have never come to the page`);
  });
}

/** The first alarm is not counted, since the list of the page comes with it. */
async function raiseOneByOne({ fleets, page }: Bench): Promise<readonly RaisedAlarm[]> {
  const alarms: RaisedAlarm[] = [];
  for (let at = 0; at <= QUIET.alarms; at++) {
    const wantedMs = REST_MS + ((at * 0.618_034) % 1) * MORE_REST_MS;
    await waitFor(
      'a quiet time',
      () => page.quietMs(),
      (quietMs) => quietMs >= wantedMs,
    );
    const fleet = fleets[at % fleets.length];
    if (fleet === undefined) break;
    const device = fleet.first + fleet.count - 1 - Math.floor(at / fleets.length);
    tell(fleet, { type: 'emergency', device });
    const raised = (await message<FromAlarmFleet, 'raised'>(fleet, 'raised')).alarms;
    await shownTimes(page, raised);
    if (at > 0) alarms.push(...raised);
  }
  return alarms;
}

/** Number of quiet devices of this many processes, each of which takes its share rounded up. */
function quietDevices(processes: number): number {
  return processes * Math.ceil((QUIET.alarms + 1) / PROCESSES);
}

async function raiseMany({ fleets }: Bench, count: number): Promise<readonly RaisedAlarm[]> {
  const share = Math.ceil(count / fleets.length);
  const perSecond = LOAD.alarmsASecond / fleets.length;
  for (const fleet of fleets) {
    // The last devices have already had their alarms.
    const among = fleet.count - quietDevices(1);
    tell(fleet, { type: 'alarms', count: share, among, perSecond });
  }
  const raised = fleets.map((fleet) => message<FromAlarmFleet, 'raised'>(fleet, 'raised'));
  return (await Promise.all(raised)).flatMap(({ alarms }) => alarms);
}

function tell(fleet: FleetPart, order: ToAlarmFleet): void {
  fleet.process.send(order);
}

/** One operator, who sees every device. */
async function fill(stores: Stores, devices: number): Promise<void> {
  const deviceGroup = await stores.deviceGroups.insert('All');
  const memberGroup = await stores.memberGroups.insert({ name: 'All' });
  await stores.memberGroups.setDeviceGroups(memberGroup, [deviceGroup]);
  const passwordHash = await (await createPasswords()).hash(PASSWORD);
  const added = { username: OPERATOR, passwordHash, permissions: ['event'] };
  const id = await stores.users.insert(added, wallMs(Date.now()));
  await stores.memberGroups.setGroupsOfUser(id, [memberGroup]);
  await addDevices(stores, devices, deviceGroup);
}
