// The first minute of the demo, ten times as fast: its fleet, its gateway and its members, as `npm run demo` puts them together.
import { expect, it, onTestFinished } from 'vitest';
import { startGateway } from '../../../server/app/gateway.ts';
import { readConfig } from '../../../server/config/readConfig.ts';
import { loadDemoClips } from '../../../server/demo/clip/loadClip.ts';
import { addDemoAccounts, type DemoAccount } from '../../../server/demo/demoAccounts.ts';
import { addDemoDevices, addDemoPolicies, clipNameOf, DEMO_VEHICLES } from '../../../server/demo/demoFleet.ts';
import { DemoMembers } from '../../../server/demo/members/demoMembers.ts';
import { DemoSession } from '../../../server/demo/members/demoSession.ts';
import { setDemoSnapshots } from '../../../server/demo/members/demoSnapshots.ts';
import { DemoNotifications } from '../../../server/demo/notify/demoNotifications.ts';
import { SimulatedTerminal } from '../../../server/demo/terminal.ts';
import type { VehicleProfile } from '../../../server/demo/vehicleProfile.ts';
import { createRunAfter } from '../../../server/faults/timers.ts';
import { createLog } from '../../../server/process/log.ts';
import { EVENTS_PATH, EventMediaBit, type EventRow } from '../../../shared/protocol/api/events.ts';
import { NOTIFY_MESSAGES_PATH, type NotifyMessage } from '../../../shared/protocol/api/notify/notifyMessages.ts';
import { createTempFolder } from '../../support/tempFolder.ts';
import { waitFor } from '../../support/waitFor.ts';

const TIMES_FASTER = 10;
const MINUTE_SECONDS = 60;
const TOLD_WITHIN_MS = 30_000;

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

it('shows events of eight kinds, pictures, files of an alarm, one event that members have closed, and whom it told', async () => {
  const folder = await createTempFolder();
  onTestFinished(() => folder.remove());
  const ports = { HOST: '127.0.0.1', PORT: '0', JT808_PORT: '0', JT1078_PORT: '0', ATTACHMENT_PORT: '0' };
  const notifications = { PUBLIC_URL: 'http://localhost:8080', NOTIFY_NETWORKS: '127.0.0.1' };
  const read = readConfig({ ...ports, ...notifications, DATA_DIR: folder.path, LOG_LEVEL: 'silent' });
  if (!read.ok) throw new Error(read.problems.join('\n'));
  const gateway = await startGateway(read.config, { log: createLog('silent') });
  onTestFinished(() => gateway.close());
  const { address, stores } = gateway;
  const { administrator, operator, deviceGroup } = await addDemoAccounts(stores);
  await addDemoDevices(stores, deviceGroup);
  await addDemoPolicies(stores);
  const sessionOf = (account: DemoAccount): DemoSession => new DemoSession({ address, account, fetch });
  const members = { administrator: sessionOf(administrator), operator: sessionOf(operator) };
  await setDemoSnapshots(members.administrator);
  const clips = await loadDemoClips();
  const runAfter = createRunAfter(failTest);
  const soon = (delayMs: number, run: () => void) => runAfter(delayMs / TIMES_FASTER, run);
  const actors = [
    ...DEMO_VEHICLES.map(
      (profile) =>
        new SimulatedTerminal({
          profile: sooner(profile),
          gateway: { host: '127.0.0.1', port: gateway.jt808Port },
          clip: (channel, quality) => clips[clipNameOf(channel, quality)],
        }),
    ),
    await DemoNotifications.open({ ...members, onFault: failTest }),
    new DemoMembers({ ...members, runAfter: soon, onFault: failTest }),
  ];
  for (const actor of actors) actor.start();
  onTestFinished(() => {
    for (const actor of actors) actor.stop();
  });

  const listed = async (): Promise<readonly EventRow[]> => {
    const found = await members.operator.get<{ readonly rows: readonly EventRow[] }>(EVENTS_PATH);
    return found?.rows ?? [];
  };
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
  expect(rows.map(({ type }) => type)).toEqual(expect.arrayContaining(['emergency', 'forward-collision', 'phone-use']));

  const messages = async (): Promise<readonly NotifyMessage[]> => {
    const found = await members.administrator.get<{ readonly rows: readonly NotifyMessage[] }>(NOTIFY_MESSAGES_PATH);
    return found?.rows ?? [];
  };
  const sent = (all: readonly NotifyMessage[], kind: string): readonly NotifyMessage[] =>
    all.filter((message) => message.kind === kind && message.state === 'sent');
  // The service wasn't ready for the first call, which was made again.
  await waitFor(
    'mails and webhooks that were sent, one of them at the second attempt',
    messages,
    (all) => sent(all, 'email').length > 0 && sent(all, 'webhook').some(({ attempts }) => attempts === 2),
    TOLD_WITHIN_MS,
  );
}, 60_000);
