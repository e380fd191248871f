// The first minute of the demo, ten times as fast: its fleet, its gateway and its members, as `npm run demo` puts them together.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Gateway, startGateway } from '../../../server/app/gateway.ts';
import { readConfig } from '../../../server/config/readConfig.ts';
import { createRunAfter } from '../../../server/faults/timers.ts';
import { createLog } from '../../../server/process/log.ts';
import { EVENTS_PATH, EventMediaBit, type EventRow } from '../../../shared/protocol/api/events.ts';
import {
  FENCES_PATH,
  type Fence,
  fenceDevicesPath,
  type TerminalArea,
} from '../../../shared/protocol/api/fences/fences.ts';
import { NOTIFY_MESSAGES_PATH, type NotifyMessage } from '../../../shared/protocol/api/notify/notifyMessages.ts';
import {
  REPORT_JOBS_PATH,
  REPORT_SCHEDULES_PATH,
  type ReportJob,
  type ReportSchedule,
} from '../../../shared/protocol/api/reports/reports.ts';
import { TRACK_SUMMARY_PATH, type TrackSummary } from '../../../shared/protocol/api/tracks/track.ts';
import { FENCE_KINDS } from '../../../shared/protocol/fences/fenceWords.ts';
import { loadDemoClips } from '../../../simulator/clip/loadClip.ts';
import { addDemoAccounts, type DemoAccount } from '../../../simulator/demoAccounts.ts';
import { addDemoDevices, addDemoPolicies, clipNameOf, DEMO_VEHICLES } from '../../../simulator/demoFleet.ts';
import { DemoMembers } from '../../../simulator/members/demoMembers.ts';
import { DemoSession } from '../../../simulator/members/demoSession.ts';
import { setDemoSnapshots } from '../../../simulator/members/demoSnapshots.ts';
import { DemoNotifications } from '../../../simulator/notify/demoNotifications.ts';
import type { DemoActor } from '../../../simulator/startDemo.ts';
import { SimulatedTerminal } from '../../../simulator/terminal.ts';
import { DemoReports } from '../../../simulator/tracks/demoReports.ts';
import type { VehicleProfile } from '../../../simulator/vehicleProfile.ts';
import { prepareDataDir } from '../../support/databases/sqliteFile.ts';
import { FREE_PORTS } from '../../support/gateway/freePorts.ts';
import { createTempFolder, type TempFolder } from '../../support/tempFolder.ts';
import { waitFor } from '../../support/waitFor.ts';

const TIMES_FASTER = 10;
const MINUTE_SECONDS = 60;
const TOLD_WITHIN_MS = 30_000;
/** Patience for several things that are awaited one after the other. */
const PATIENCE_MS = 180_000;

/** What happens in the first minute happens sooner, and lasts as long. */
function sooner(profile: VehicleProfile): VehicleProfile {
  const script = profile.script?.map((step) => {
    const isEarly = step.atSeconds > 0 && step.atSeconds <= MINUTE_SECONDS;
    return isEarly ? { ...step, atSeconds: step.atSeconds / TIMES_FASTER } : step;
  });
  return script === undefined ? profile : { ...profile, script };
}

function failTest(error: Error): void {
  throw error;
}

interface Rows<Row> {
  readonly rows: readonly Row[];
}

let folder: TempFolder;
let gateway: Gateway;
let members: { readonly administrator: DemoSession; readonly operator: DemoSession };
let actors: readonly DemoActor[] = [];
let askForReports: (() => void) | undefined;

beforeAll(async () => {
  folder = await createTempFolder();
  const notifications = { PUBLIC_URL: 'http://localhost:8080', NOTIFY_NETWORKS: '127.0.0.1' };
  const read = readConfig({ ...FREE_PORTS, ...notifications, DATA_DIR: folder.path });
  if (!read.ok) throw new Error(read.problems.join('\n'));
  await prepareDataDir(folder.path);
  gateway = await startGateway(read.config, { log: createLog('silent') });
  const { address, stores } = gateway;
  const { administrator, operator, deviceGroup } = await addDemoAccounts(stores);
  await addDemoDevices(stores, deviceGroup);
  await addDemoPolicies(stores);
  const sessionOf = (account: DemoAccount): DemoSession => new DemoSession({ address, account, fetch });
  members = { administrator: sessionOf(administrator), operator: sessionOf(operator) };
  await setDemoSnapshots(members.administrator);
  const clips = await loadDemoClips();
  const runAfter = createRunAfter(failTest);
  const soon = (delayMs: number, run: () => void) => runAfter(delayMs / TIMES_FASTER, run);
  // The demo requests its reports when the vehicles' last day has arrived. The test sees that for itself, and does not wait for a timer.
  const onDemand = (_delayMs: number, run: () => void) => {
    askForReports = run;
    return () => undefined;
  };
  actors = [
    ...DEMO_VEHICLES.map(
      (profile) =>
        new SimulatedTerminal({
          profile: sooner(profile),
          gateway: { host: '127.0.0.1', port: gateway.jt808Port },
          clip: (channel, quality) => clips[clipNameOf(channel, quality)],
        }),
    ),
    await DemoNotifications.open({ ...members, onFault: failTest }),
    await DemoReports.open({ ...members, runAfter: onDemand, onFault: failTest }),
    new DemoMembers({ ...members, runAfter: soon, onFault: failTest }),
  ];
  for (const actor of actors) actor.start();
});
afterAll(async () => {
  for (const actor of actors) actor.stop();
  await gateway.close();
  await folder.remove();
});

it(
  'shows events of eight kinds, pictures, files of an alarm, one event that members have closed, and whom it told',
  async () => {
    const { operator } = members;
    const listed = () => rowsOf<EventRow>(operator, `${EVENTS_PATH}?limit=100`);
    const has = (rows: readonly EventRow[], bit: number): boolean => rows.some(({ media }) => (media & bit) !== 0);
    const rows = await waitFor(
      'the demo has something of everything',
      listed,
      (all) =>
        new Set(all.map(({ type }) => type)).size >= 8 &&
        has(all, EventMediaBit.Snapshot) &&
        has(all, EventMediaBit.Attachment) &&
        all.some(({ status }) => status === 'closed'),
    );
    const closed = rows.filter(({ status }) => status === 'closed');
    expect(closed).toMatchObject([{ type: 'phone-use', reason: 'real', assignee: operator.username }]);
    expect(rows.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['emergency', 'forward-collision', 'phone-use']),
    );

    const messages = () => rowsOf<NotifyMessage>(members.administrator, NOTIFY_MESSAGES_PATH);
    const sent = (all: readonly NotifyMessage[], kind: string): readonly NotifyMessage[] =>
      all.filter((message) => message.kind === kind && message.state === 'sent');
    // The service wasn't ready for the first call, which was made again.
    await waitFor(
      'mails and webhooks that were sent, one of them at the second attempt',
      messages,
      (all) => sent(all, 'email').length > 0 && sent(all, 'webhook').some(({ attempts }) => attempts === 2),
      TOLD_WITHIN_MS,
    );
  },
  PATIENCE_MS,
);

it(
  'shows the day before of every vehicle, geofences of four kinds with one in a terminal, reports of six kinds and a schedule',
  async () => {
    const { administrator, operator } = members;
    for (const { deviceId } of DEMO_VEHICLES) {
      const summary = await waitFor(
        `the day of ${deviceId}`,
        () => summaryOf(operator, deviceId),
        (found) => found !== undefined && found.trips.length >= 5 && found.stops.length >= 5,
      );
      const meters = summary?.trips.reduce((sum, trip) => sum + trip.metres, 0) ?? 0;
      expect(meters, deviceId).toBeGreaterThan(50_000);
    }

    const fences = await rowsOf<Fence>(administrator, `${FENCES_PATH}?limit=100`);
    expect(fences.map(({ kind }) => kind).sort()).toEqual([...FENCE_KINDS].sort());
    const circle = fences.find(({ kind }) => kind === 'circle');
    await waitFor(
      'the geofence in a terminal',
      () => administrator.get<readonly TerminalArea[]>(fenceDevicesPath(circle?.id ?? 0)),
      (areas) => areas?.length === 1 && areas[0]?.state === 'confirmed',
    );

    askForReports?.();
    const schedules = await rowsOf<ReportSchedule>(administrator, REPORT_SCHEDULES_PATH);
    expect(schedules).toMatchObject([{ kind: 'trips', every: 'daily', enabled: true, pause: '' }]);
    expect(schedules[0]?.nextRunAtMs).toBeGreaterThan(Date.now());
    for (const member of [administrator, operator]) {
      const jobs = await waitFor(
        `the reports of ${member.username}`,
        () => rowsOf<ReportJob>(member, REPORT_JOBS_PATH),
        (all) => all.length === 6 && all.every(({ state }) => state === 'done'),
      );
      expect(new Set(jobs.map(({ kind }) => kind)).size).toBe(6);
      expect(jobs.filter(({ rows }) => rows === 0)).toEqual([]);
    }
  },
  PATIENCE_MS,
);

async function rowsOf<Row>(member: DemoSession, path: string): Promise<readonly Row[]> {
  return (await member.get<Rows<Row>>(path))?.rows ?? [];
}

/** The summary of the last 25 hours. */
function summaryOf(member: DemoSession, deviceId: string): Promise<TrackSummary | undefined> {
  const toMs = Date.now();
  return member.get<TrackSummary>(
    `${TRACK_SUMMARY_PATH}?deviceid=${deviceId}&from=${toMs - 25 * 3_600_000}&to=${toMs}`,
  );
}
