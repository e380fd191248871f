// Reports that come by mail: scheduled in the page, due while the gateway was down, and opened as their recipients open them.
import { join } from 'node:path';
import { readSheet } from 'read-excel-file/node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../../../server/store/engine/database.ts';
import { SENDERS_PATH, type SenderContent } from '../../../../shared/protocol/api/notify/senders.ts';
import {
  MAX_MAILED_BYTES,
  REPORT_SCHEDULES_PATH,
  type ReportScheduleContent,
} from '../../../../shared/protocol/api/reports/reports.ts';
import { momentOf, wallClockMs } from '../../../../shared/protocol/timeZones.ts';
import { PASSWORD } from '../../../support/gateway/site.ts';
import { type Mail, readMail } from '../../../support/notify/readMail.ts';
import { type SmtpSink, startSmtpSink } from '../../../support/notify/smtpSink.ts';
import { reportParameters } from '../../../support/reports/reportParameters.ts';
import { waitFor } from '../../../support/waitFor.ts';
import { BUS, REPORT, startTrackScene, type TrackScene } from '../tracks/trackScene.ts';

const ROW = '[role=row][data-id]';
const ZONE = 'Asia/Taipei';
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** So many rows with so long a name are more than a mail may have. */
const LONG_LINE = { deviceId: 'LONG1', name: `Ring line ${'湖'.repeat(90)}`, number: '13900003201' } as const;
const LONG_ROWS = 40_000;
const BUS_ROWS = 5;
/** What an open page asks for while the gateway is down; the list too, since it is told of the second schedule just before. */
const WHILE_DOWN = [
  { url: /\/api\/report\/schedules\?/, status: 'failed' },
  { url: /\/api\/live\/updates$/, status: 'failed' },
  { url: /\/api\/user\/status$/, status: 'failed' },
] as const;

let scene: TrackScene;
let sink: SmtpSink;
beforeAll(async () => {
  sink = await startSmtpSink();
  scene = await startTrackScene({
    vehicles: [LONG_LINE],
    environment: (address) => ({ PUBLIC_URL: address, NOTIFY_NETWORKS: '127.0.0.1' }),
  });
  const settings = {
    host: '127.0.0.1',
    port: sink.port,
    security: 'none',
    username: '',
    fromAddress: 'fleet@fleet.example',
    fromName: 'Northern fleet',
  } as const;
  const sender: SenderContent = { name: 'Depot mail', enabled: true, perMinute: 0, kind: 'email', settings };
  await scene.call('chief', 'POST', SENDERS_PATH, sender);
});
afterAll(async () => {
  await scene?.close();
  await sink?.close();
});

/** Of the wall clock, today: a run that is due a moment past midnight finds yesterday's numbers as well. */
function midnightMs(): number {
  return momentOf(Math.floor(wallClockMs(Date.now(), ZONE) / DAY_MS) * DAY_MS, ZONE);
}

/** As if the gateway had been down when they were due: with what passengers were counted on each of the last days. */
async function makeDue(): Promise<void> {
  await scene.product.end();
  const { db, close } = await openDatabase({ engine: 'sqlite', file: join(scene.product.dataDir, 'fleetglass.db') });
  try {
    const incarnations = new Map<string, number>();
    for (const row of await db.selectFrom('device').select(['device_id', 'incarnation']).execute()) {
      incarnations.set(row.device_id, row.incarnation);
    }
    const countOf = (deviceId: string, fromMs: number, boarded: number) => ({
      incarnation: incarnations.get(deviceId) ?? 0,
      from_ms: fromMs,
      to_ms: fromMs + 1_000,
      boarded,
      alighted: 1,
    });
    const rows = [midnightMs(), midnightMs() - DAY_MS].flatMap((dayMs) => [
      ...Array.from({ length: BUS_ROWS }, (_, at) => countOf(BUS.deviceId, dayMs + at * HOUR_MS, at)),
      ...Array.from({ length: LONG_ROWS }, (_, at) => countOf(LONG_LINE.deviceId, dayMs + at * 1_000, at)),
    ]);
    await db.transaction().execute(async (work) => {
      for (let at = 0; at < rows.length; at += 1_000) {
        await work
          .insertInto('passenger_count')
          .values(rows.slice(at, at + 1_000))
          .execute();
      }
      await work
        .updateTable('report_schedule')
        .set({ next_run_at_ms: Date.now() - 1_000 })
        .execute();
    });
  } finally {
    await close();
  }
  await scene.product.startAgain();
}

const mailTo = (address: string): Mail | undefined =>
  sink.mails.filter(({ to }) => to.includes(address)).map(({ text }) => readMail(text))[0];

test('a schedule made in the page sends a workbook with the numbers, and a file too large as a link behind the sign-in', async () => {
  const page = await scene.openPage('chief', `${REPORT}?tab=schedules`, { allowed: WHILE_DOWN });
  await page.getByRole('button', { name: 'Add schedule' }).click();
  const form = page.getByRole('dialog', { name: 'Add schedule' });
  await form.getByRole('textbox', { name: 'Name' }).fill('Passengers of the lake');
  await form.getByRole('combobox', { name: 'Report' }).selectOption({ label: 'Passengers' });
  await form.getByRole('combobox', { name: 'Period' }).selectOption({ label: 'Yesterday' });
  await form.getByRole('combobox', { name: 'Devices' }).click();
  await page.getByRole('option', { name: BUS.name }).click();
  await page.keyboard.press('Escape');
  await form.getByRole('combobox', { name: 'Sender' }).selectOption({ label: 'Depot mail' });
  await form.getByRole('combobox', { name: 'Recipients' }).fill('boss@fleet.example,');
  await form.getByRole('button', { name: 'Save' }).click();
  const row = page.locator(ROW).filter({ hasText: 'Passengers of the lake' });
  await row.getByText('On', { exact: true }).waitFor();
  await scene.call('chief', 'POST', REPORT_SCHEDULES_PATH, await largeSchedule());

  await makeDue();
  const mail = await waitFor('the mail with the file', () => mailTo('boss@fleet.example'));
  expect(mail?.headers.get('subject')).toContain('Passengers of the lake');
  expect(mail?.text).toContain('The report is attached.');
  const [file] = mail?.files ?? [];
  expect(file?.name).toMatch(/^passengers-\d{4}-\d\d-\d\d\.xlsx$/);
  const [head, ...rows] = await readSheet(file?.content ?? Buffer.alloc(0));
  expect(head).toEqual(['Device', 'Start', 'End', 'Boarded', 'Alighted']);
  expect(rows.map(([device, , , boarded, alighted]) => [device, boarded, alighted])).toEqual(
    Array.from({ length: BUS_ROWS }, (_, at) => [BUS.name, at, 1]),
  );
  // As the clock on the wall shows it; the reader cuts a fraction of a day to whole milliseconds.
  const hours = rows.map(([, start]) =>
    start instanceof Date ? (Math.round(start.getTime() / 1_000) / 3_600) % 24 : start,
  );
  expect(hours).toEqual([0, 1, 2, 3, 4]);
  await page.goto(`${REPORT}?tab=schedules`);
  await row.getByText('On', { exact: true }).waitFor();

  const link = await waitFor('the mail with the link', () => mailTo('archive@fleet.example'));
  expect(link?.files).toEqual([]);
  expect(link?.text).toContain('The report is too large for a mail.');
  const address = /https?:\/\/\S+\/innerpage\/report\.html\?job=\d+/.exec(link?.text ?? '')?.[0] ?? '';
  expect(address).toContain(scene.product.address);
  const opened = await scene.openStrangersPage(address);
  await opened.getByLabel('Username').fill('chief');
  await opened.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await opened.getByRole('button', { name: 'Sign in' }).click();
  await opened.locator(ROW).filter({ hasText: 'Ring line' }).first().waitFor();
  expect(opened.url()).toBe(address);
  await opened.getByRole('heading', { name: 'Passengers' }).waitFor();
});

/** Rows of a mail's greatest size, and more. */
async function largeSchedule(): Promise<ReportScheduleContent> {
  expect(LONG_ROWS * Buffer.byteLength(LONG_LINE.name)).toBeGreaterThan(MAX_MAILED_BYTES);
  const senders = (await scene.call('chief', 'GET', '/api/report/senders')) as readonly { readonly id: number }[];
  return {
    name: 'Ring line',
    enabled: true,
    kind: 'passengers',
    parameters: reportParameters({ period: 'yesterday', timeZone: ZONE, devices: [LONG_LINE.deviceId] }),
    every: 'daily',
    weekday: 0,
    monthDay: 0,
    minuteOfDay: 360,
    format: 'csv',
    language: 'en',
    sender: senders[0]?.id ?? 0,
    recipients: ['archive@fleet.example'],
  };
}
