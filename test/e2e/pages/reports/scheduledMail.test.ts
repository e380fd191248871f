// A report that comes by mail: scheduled in the page, due while the gateway was down, and opened as its recipient opens it.
import { join } from 'node:path';
import { readSheet } from 'read-excel-file/node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../../../server/store/engine/database.ts';
import { SENDERS_PATH, type SenderContent } from '../../../../shared/protocol/api/notify/senders.ts';
import { momentOf, wallClockMs } from '../../../../shared/protocol/timeZones.ts';
import { type Mail, readMail } from '../../../support/notify/readMail.ts';
import { type SmtpSink, startSmtpSink } from '../../../support/notify/smtpSink.ts';
import { waitFor } from '../../../support/waitFor.ts';
import { BUS, REPORT, startTrackScene, type TrackScene } from '../tracks/trackScene.ts';

const ROW = '[role=row][data-id]';
const ZONE = 'Asia/Taipei';
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const BUS_ROWS = 5;

let scene: TrackScene;
let sink: SmtpSink;
beforeAll(async () => {
  sink = await startSmtpSink();
  scene = await startTrackScene({
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

/** Midnight by the wall clock, today: a run that is due a moment past midnight finds yesterday's numbers as well. */
function midnightMs(): number {
  return momentOf(Math.floor(wallClockMs(Date.now(), ZONE) / DAY_MS) * DAY_MS, ZONE);
}

/** Makes the runs due, as if the gateway had been down at their time, with passengers counted on each of the last days. */
async function makeDue(): Promise<void> {
  await scene.product.end();
  const { db, close } = await openDatabase({ engine: 'sqlite', file: join(scene.product.dataDir, 'fleetglass.db') });
  try {
    const { incarnation } = await db
      .selectFrom('device')
      .select('incarnation')
      .where('device_id', '=', BUS.deviceId)
      .executeTakeFirstOrThrow();
    const hours = [midnightMs(), midnightMs() - DAY_MS].flatMap((dayMs) =>
      Array.from({ length: BUS_ROWS }, (_, at) => ({ fromMs: dayMs + at * HOUR_MS, boarded: at })),
    );
    const rows = hours.map(({ fromMs, boarded }) => ({
      incarnation,
      from_ms: fromMs,
      to_ms: fromMs + 1_000,
      boarded,
      alighted: 1,
    }));
    await db.insertInto('passenger_count').values(rows).execute();
    await db
      .updateTable('report_schedule')
      .set({ next_run_at_ms: Date.now() - 1_000 })
      .execute();
  } finally {
    await close();
  }
  await scene.product.startAgain();
}

const mailTo = (address: string): Mail | undefined =>
  sink.mails.filter(({ to }) => to.includes(address)).map(({ text }) => readMail(text))[0];

test('a schedule made in the page sends a workbook with the numbers', async () => {
  const page = await scene.openPage('chief', `${REPORT}?tab=schedules`);
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

  // An open page would call in vain while the gateway is down.
  await page.close();
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
  // The hours are those of the clock on the wall; the reader cuts a fraction of a day to whole milliseconds.
  const hours = rows.map(([, start]) =>
    start instanceof Date ? (Math.round(start.getTime() / 1_000) / 3_600) % 24 : start,
  );
  expect(hours).toEqual([0, 1, 2, 3, 4]);
  await expectNothingElsewhere();
});

/** Neither the schedule nor its report is visible to the other fleet. */
async function expectNothingElsewhere(): Promise<void> {
  const page = await scene.openPage('stranger', `${REPORT}?tab=schedules`);
  await page.getByText('No schedules yet').waitFor();
  await page.getByRole('tab', { name: 'Reports' }).click();
  await page.getByText('No reports yet').waitFor();
}
