// Two fleets in two browsers: what one has of geofences, tracks and reports is not there for the other, whatever it asks for.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  FENCE_DEVICE_PATH,
  FENCE_PREVIEW_PATH,
  FENCES_PATH,
  FENCES_SHOWN_PATH,
  type Fence,
  fenceDevicesPath,
} from '../../../../shared/protocol/api/fences/fences.ts';
import { SENDERS_PATH } from '../../../../shared/protocol/api/notify/senders.ts';
import {
  REPORT_CHART_PATH,
  REPORT_FILE_PATH,
  REPORT_JOBS_PATH,
  REPORT_RESULT_PATH,
  REPORT_SCHEDULES_PATH,
  type ReportJob,
  type ReportSchedule,
  reportJobPath,
} from '../../../../shared/protocol/api/reports/reports.ts';
import {
  TRACK_CHART_PATH,
  TRACK_EXPORT_PATH,
  TRACK_LINE_PATH,
  TRACK_POINTS_PATH,
  TRACK_SUMMARY_PATH,
} from '../../../../shared/protocol/api/tracks/track.ts';
import { reportParameters } from '../../../support/reports/reportParameters.ts';
import { waitFor } from '../../../support/waitFor.ts';
import {
  BUS,
  CIRCLE,
  driveOnce,
  FENCE,
  GPS_PLAYBACK,
  PLACE,
  REPORT,
  spanOfDrive,
  startTrackScene,
  type TrackScene,
} from '../tracks/trackScene.ts';

/** Of the northern fleet: none of it may be on a page of the southern one. */
const THEIRS = [BUS.name, BUS.deviceId, 'Northern depot', 'Northern passengers', 'Northern fleet'];
const YARD = {
  ...CIRCLE,
  name: 'Northern depot',
  geometry: { type: 'Point', coordinates: [PLACE.longitude, PLACE.latitude] },
};

let scene: TrackScene;
beforeAll(async () => {
  scene = await startTrackScene();
});
afterAll(() => scene?.close());
const drive = driveOnce(() => scene);

async function expectNothingOfTheirs(page: Page): Promise<void> {
  const text = await page.locator('body').innerText();
  for (const theirs of THEIRS) expect(text, page.url()).not.toContain(theirs);
}

const period = () => reportParameters({ ...spanOfDrive(scene), timeZone: 'Asia/Taipei' });

test('geofences of one fleet are on no list, map, or call of the other', async () => {
  const { id, version } = (await scene.call('chief', 'POST', FENCES_PATH, YARD)) as Fence;
  const page = await scene.openPage('stranger', FENCE);
  await page.locator('[data-map=ready]').waitFor();
  await page.getByText('No geofences yet.').waitFor();
  await expectNothingOfTheirs(page);
  expect(await scene.call('stranger', 'GET', FENCES_SHOWN_PATH)).toEqual([]);

  const own = `${FENCES_PATH}/${id}`;
  for (const path of [own, fenceDevicesPath(String(id))])
    expect(await scene.statusOf('stranger', path), path).toBe(404);
  expect(await scene.statusOf('stranger', own, 'PUT', { ...YARD, name: 'Mine', version })).toBe(404);
  expect(await scene.statusOf('stranger', `${own}?version=${version}`, 'DELETE')).toBe(404);
  const send = { fence: id, act: 'put', devices: [BUS.deviceId] };
  expect(await scene.statusOf('stranger', FENCE_DEVICE_PATH, 'POST', send)).toBe(404);
  // One of its own for a device of others, and a look at what it would have raised.
  const others = { ...YARD, name: 'Southern depot', devices: [BUS.deviceId] };
  for (const [path, body] of [
    [FENCES_PATH, others],
    [FENCE_PREVIEW_PATH, { fence: others }],
  ] as const) {
    expect([400, 404, 422], path).toContain(await scene.statusOf('stranger', path, 'POST', body));
  }
  expect(((await scene.call('chief', 'GET', own)) as Fence).name).toBe('Northern depot');
});

test('the track of a device of others is not there, in the page and in every call', async () => {
  await drive();
  const { fromMs, toMs } = spanOfDrive(scene);
  const address = `${GPS_PLAYBACK}?device=${BUS.deviceId}&from=${fromMs}&to=${toMs}`;
  const page = await scene.openPage('stranger', address, { allowed: [{ url: /\/api\/track\//, status: 404 }] });
  await page.getByText("Device not found, or you don't have access to it.").first().waitFor();
  const text = await page.locator('main').innerText();
  expect(text).not.toContain(BUS.name);
  for (const path of [TRACK_LINE_PATH, TRACK_POINTS_PATH, TRACK_SUMMARY_PATH, TRACK_CHART_PATH]) {
    const query = new URLSearchParams({ deviceid: BUS.deviceId, from: String(fromMs), to: String(toMs) });
    const [theirs, ours] = [
      await scene.statusOf('stranger', `${path}?${query}`),
      await scene.statusOf('chief', `${path}?${query}`),
    ];
    expect([path, theirs, ours]).toEqual([path, 404, 200]);
  }
  const file = { deviceid: BUS.deviceId, fromMs, toMs, format: 'gpx', language: 'en', timeZone: 'Asia/Taipei' };
  expect(await scene.statusOf('stranger', TRACK_EXPORT_PATH, 'POST', file)).toBe(404);
});

test('reports, their files, and schedules are not there for the other fleet', async () => {
  await drive();
  const { id } = (await scene.call('chief', 'POST', REPORT_JOBS_PATH, {
    kind: 'trips',
    parameters: period(),
  })) as ReportJob;
  const job = async () => (await scene.call('chief', 'GET', reportJobPath(id))) as ReportJob;
  await waitFor('the report', job, ({ state }) => state === 'done');
  const settings = {
    host: '127.0.0.1',
    port: 25,
    security: 'none',
    username: '',
    fromAddress: 'a@fleet.example',
    fromName: '',
  };
  const sender = { name: 'Mail', enabled: true, perMinute: 0, kind: 'email', settings };
  const { id: senderId } = (await scene.call('chief', 'POST', SENDERS_PATH, sender)) as { readonly id: number };
  const content = {
    name: 'Northern passengers',
    enabled: true,
    kind: 'passengers',
    parameters: reportParameters({ period: 'yesterday', timeZone: 'Asia/Taipei' }),
    every: 'daily',
    weekday: 0,
    monthDay: 0,
    minuteOfDay: 0,
    format: 'xlsx',
    language: 'en',
    sender: senderId,
    recipients: ['boss@fleet.example'],
  };
  const schedule = (await scene.call('chief', 'POST', REPORT_SCHEDULES_PATH, content)) as ReportSchedule;

  const allowed = [{ url: /\/api\/report\/jobs\/\d+$/, status: 404 }];
  const page = await scene.openPage('stranger', `${REPORT}?job=${id}`, { allowed });
  await page.getByRole('alert').first().waitFor();
  await expectNothingOfTheirs(page);
  for (const tab of ['', '?tab=schedules']) {
    await page.goto(`${REPORT}${tab}`);
    await page.getByText(tab === '' ? 'No reports yet' : 'No schedules yet').waitFor();
    await expectNothingOfTheirs(page);
  }
  const calls = [
    ['GET', reportJobPath(id)],
    ['POST', `${reportJobPath(id)}/again`],
    ['POST', `${reportJobPath(id)}/cancel`],
    ['GET', `${REPORT_RESULT_PATH}?job=${id}`],
    ['GET', `${REPORT_CHART_PATH}?job=${id}`],
    ['POST', REPORT_FILE_PATH, { job: id, format: 'csv', language: 'en', timeZone: 'Asia/Taipei' }],
    ['GET', `${REPORT_SCHEDULES_PATH}/${schedule.id}`],
    ['PUT', `${REPORT_SCHEDULES_PATH}/${schedule.id}`, { ...content, version: schedule.version }],
    ['DELETE', `${REPORT_SCHEDULES_PATH}/${schedule.id}?version=${schedule.version}`],
    ['POST', REPORT_JOBS_PATH, { kind: 'trips', parameters: { ...period(), devices: [BUS.deviceId] } }],
    ['POST', REPORT_SCHEDULES_PATH, { ...content, parameters: { ...content.parameters, devices: [BUS.deviceId] } }],
  ] as const;
  for (const [method, path, body] of calls) {
    expect(await scene.statusOf('stranger', path, method, body), `${method} ${path}`).toBe(404);
  }
});
