import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createReportMails } from '../../../server/app/reports/mails.ts';
import { createSmtpTransport } from '../../../server/notify/senders/smtp/smtpTransport.ts';
import { reportDefinition } from '../../../server/reports/kinds/list.ts';
import { createResult } from '../../../server/reports/results/resultFile.ts';
import {
  DELIVERY_TIME_MS,
  ReportSchedules,
  type ReportSchedulesDeps,
} from '../../../server/reports/schedules/reportSchedules.ts';
import { MAX_MAILED_BYTES } from '../../../shared/protocol/api/reports/reports.ts';
import { Permission } from '../../../shared/protocol/permissions.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { noFaults } from '../../support/fakes/noFaults.ts';
import { MAIL_SETTINGS } from '../../support/notify/aSenderRecord.ts';
import { aSender } from '../../support/notify/outgoing.ts';
import { type SmtpSink, startSmtpSink } from '../../support/notify/smtpSink.ts';
import { createTestOutbound } from '../../support/notify/testOutbound.ts';
import { reportParameters } from '../../support/reports/reportParameters.ts';
import { waitFor } from '../../support/waitFor.ts';
import { createTestApp, type TestApp } from '../http/testApp.ts';

let app: TestApp;
let sink: SmtpSink;
let memberGroup: number;
let ann: number;
beforeEach(async () => {
  app = await createTestApp();
  sink = await startSmtpSink();
  const deviceGroup = await app.stores.deviceGroups.insert('North');
  memberGroup = await app.stores.memberGroups.insert({ name: 'Depot' });
  await app.stores.memberGroups.setDeviceGroups(memberGroup, [deviceGroup]);
  await app.stores.devices.insert({ deviceId: 'BUS1', name: 'Bus 1', chn: 1, deviceGroup });
  ann = await app.addUser('ann', [Permission.Report], [memberGroup]);
});
afterEach(async () => {
  await sink.close();
  await app.close();
});

function openSchedules(changes: Partial<ReportSchedulesDeps> = {}): ReportSchedules {
  const settings = { ...MAIL_SETTINGS, host: '127.0.0.1', port: sink.port, security: 'none', username: '' };
  const sender = { ...aSender('email', settings), enabled: true, perMinute: 0 };
  const mails = createReportMails({
    stores: app.stores,
    localesRoot: join(import.meta.dirname, '../../../public/locales'),
    results: app.reports.forCalls.results,
    senders: { open: async () => sender },
    transports: { email: createSmtpTransport({ ...createTestOutbound(), publicUrl: undefined }) },
    publicUrl: 'https://fleet.example',
    now: () => app.clock.now,
  });
  return new ReportSchedules({
    ...mails,
    stores: app.stores,
    jobs: app.reports.jobs,
    now: () => app.clock.now,
    runAfter: () => () => undefined,
    onFault: noFaults,
    onChanged: () => undefined,
    ...changes,
  });
}

async function addSchedule() {
  const content = {
    name: 'Daily',
    enabled: true,
    kind: 'trips',
    parameters: reportParameters({ period: 'yesterday' }),
    every: 'daily',
    weekday: 0,
    monthDay: 0,
    minuteOfDay: 0,
    format: 'csv',
    language: 'en',
    sender: 1,
    recipients: ['boss@example.com', 'office@example.com'],
  } as const;
  const owner = { userId: ann, memberGroup };
  // It was due three times while the gateway was down.
  const change = { content, by: 'ann', atMs: app.clock.now - 4 * 86_400_000 };
  const added = await app.stores.reportSchedules.insert(owner, change);
  if (!added.ok) throw new Error(added.reason);
  return added.value.id;
}

it('what was missed is made up once, and mailed to each recipient with the file', async () => {
  const id = await addSchedule();
  const schedules = openSchedules();
  await schedules.start();
  const noted = () => app.stores.reportSchedules.get(id);
  const job = await waitFor('the report', async () => {
    const { lastJob = 0 } = (await noted()) ?? {};
    const made = lastJob === 0 ? undefined : await app.stores.reportJobs.get(lastJob);
    return made?.state === 'done' ? made : undefined;
  });
  if (job !== undefined) schedules.finished(job);
  await waitFor('the mails', async () => (await noted())?.lastDelivery === 'sent');
  expect(sink.mails.map(({ to }) => to)).toEqual([['boss@example.com'], ['office@example.com']]);
  expect(sink.mails[0]?.text).toContain('The report is attached.');
  expect(sink.mails[0]?.text).toMatch(/filename="?trips-\d{4}-\d\d-\d\d\.csv/);
  expect((await noted())?.nextRunAtMs).toBeGreaterThan(app.clock.now);
  await schedules.close();
});

/** Its report is done, and nobody has been sent it. */
async function addUnsent() {
  const id = await addSchedule();
  const parameters = reportParameters({ period: 'yesterday' });
  const added = await app.reports.jobs.add({ userId: ann, memberGroup, kind: 'trips', parameters, schedule: id });
  if (!added.ok) throw new Error(added.reason);
  const job = added.value.id;
  await waitFor('the report', async () => (await app.stores.reportJobs.get(job))?.state === 'done');
  const nextRunAtMs = app.clock.now + 30 * 86_400_000;
  await app.stores.reportSchedules.noteRun(id, { pause: '', ran: { atMs: app.clock.now, job }, nextRunAtMs });
  return { id, delivery: async () => (await app.stores.reportSchedules.get(id))?.lastDelivery };
}

it('a mail that could not be sent yet is sent after a restart, to those who do not have it', async () => {
  const { id, delivery } = await addUnsent();
  const sent: string[] = [];
  const first = openSchedules({
    send: async ({ to }) => {
      sent.push(to);
      return to.startsWith('boss') ? 'sent' : 'retry';
    },
  });
  await first.start();
  await waitFor('both', () => sent.length === 2);
  await first.close();
  expect(await delivery()).toBe('');
  expect((await app.stores.reportSchedules.get(id))?.deliveredTo).toEqual(['boss@example.com']);
  const second = openSchedules();
  await second.start();
  await waitFor('the mail', async () => (await delivery()) === 'sent');
  expect(sink.mails.map(({ to }) => to)).toEqual([['office@example.com']]);
  await second.close();
});

it('a mail whose time is over by the start is not sent any more', async () => {
  const { delivery } = await addUnsent();
  app.clock.now = wallMs(app.clock.now + DELIVERY_TIME_MS + 1);
  const schedules = openSchedules();
  await schedules.start();
  await waitFor('the failure', async () => (await delivery()) === 'failed');
  expect(sink.mails).toEqual([]);
  await schedules.close();
});

it('a report that is too large for a mail is a link to it', async () => {
  const { id, delivery } = await addUnsent();
  const job = (await app.stores.reportSchedules.get(id))?.lastJob ?? 0;
  const { file } = (await app.stores.reportJobs.get(job)) ?? { file: '' };
  await rm(app.reports.folder.pathOf(file));
  const { columns } = reportDefinition('trips');
  const result = createResult(app.reports.folder.pathOf(file), columns.length, { maxRows: 1e6, maxBytes: 1e9 });
  const values = columns.map(({ type }) => (type === 'text' ? 'x'.repeat(1_000) : null));
  const rows = Math.ceil(MAX_MAILED_BYTES / 1_000);
  result.add(Array.from({ length: rows }, () => ({ deviceId: 'BUS1', values })));
  result.finish();
  const schedules = openSchedules();
  await schedules.start();
  await waitFor('the mails', async () => (await delivery()) === 'link-sent');
  expect(sink.mails).toHaveLength(2);
  const text = sink.mails[0]?.text.replaceAll('=\r\n', '').replaceAll('=3D', '=');
  expect(text).toContain(`https://fleet.example/innerpage/report.html?job=${job}`);
  expect(text).not.toContain('filename');
  await schedules.close();
});

it('a schedule pauses when its maker has lost the permission, or sees no device any more', async () => {
  const id = await addSchedule();
  await app.db.updateTable('device').set({ disabled: 1 }).execute();
  const schedules = openSchedules();
  const pause = async () => (await app.stores.reportSchedules.get(id))?.pause;
  await schedules.start();
  await waitFor('the pause', async () => (await pause()) === 'no-devices');
  await app.stores.users.setPermissions(ann, []);
  await app.db.updateTable('report_schedule').set({ next_run_at_ms: 0 }).execute();
  schedules.workSoon();
  await waitFor('the other pause', async () => (await pause()) === 'no-permission');
  await schedules.close();
});
