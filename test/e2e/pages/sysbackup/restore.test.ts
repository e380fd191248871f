// The worst day: a site that records, has fences, rules and answered events loses them, and gets them back from a backup, on the page
// System Backup: the built gateway and pages. The plan that makes backups: test/server/app/installation/backup.test.ts.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AlarmBit } from '../../../../server/device/jt808/codec/codes.ts';
import { MEMBERS_PATH, type Member } from '../../../../shared/protocol/api/accounts.ts';
import { AUDIT_PATH, type AuditRow } from '../../../../shared/protocol/api/audit.ts';
import { COMMON_RECORDING_PATH, type CommonRecording } from '../../../../shared/protocol/api/deviceRecording.ts';
import { DEVICES_PATH } from '../../../../shared/protocol/api/devices.ts';
import { EVENT_RULES_PATH, type EventRuleRow } from '../../../../shared/protocol/api/eventConfig.ts';
import { EVENT_ACT_PATH, EVENTS_PATH, type EventRow } from '../../../../shared/protocol/api/events.ts';
import { FENCES_PATH } from '../../../../shared/protocol/api/fences/fences.ts';
import {
  BACKUP_PLAN_PATH,
  BACKUPS_PATH,
  type BackupList,
  type BackupPlan,
} from '../../../../shared/protocol/api/system/backups.ts';
import { SERVER_SETTINGS_PATH, type ServerSettings } from '../../../../shared/protocol/api/system/settings.ts';
import { loadDemoClip } from '../../../../simulator/clip/loadClip.ts';
import { expectAccessible } from '../../../support/browser/looks.ts';
import { PASSWORD } from '../../../support/gateway/site.ts';
import { waitFor } from '../../../support/waitFor.ts';
import { startVehicle } from '../tracks/simulatedVehicle.ts';
import { BUS, CIRCLE, startTrackScene, type TrackScene } from '../tracks/trackScene.ts';
import { msOnServer } from '../upkeep/dataSyncScene.ts';

const PAGE = '/innerpage/sysbackup.html';
const TITLES = { archived: 'Northern Fleet', now: 'Southern Fleet' } as const;
const FENCE = 'Depot yard';
const NOTE = 'Called the driver.';
const RULE = { scope: 'installation', type: 'emergency' } as const;
const PASSPHRASE = 'a passphrase for the worst day';
const RECORDED_MS = 4_000;
const MINUTE_MS = 60_000;
const OF_BACKUPS = ['plan', 'make', 'tested', 'restore', 'restored'].map((what) => `backup.${what}`);
/** While the gateway is exchanged, nothing is answered or everything refused; afterwards nobody is signed in. */
const WHILE_RESTORING = ([503, 401, 'failed'] as const).map((status) => ({ url: /./, status }));

let scene: TrackScene;
beforeAll(async () => {
  scene = await startTrackScene({ environment: { WEB_TITLE: TITLES.archived } });
});
afterAll(() => scene?.close());

const get = async <Answer>(path: string) => (await scene.call('chief', 'GET', path)) as Answer;
const list = async <Row>(path: string) => (await get<{ readonly rows: readonly Row[] }>(path)).rows;

async function recordAlways(): Promise<void> {
  const { version } = await get<CommonRecording>(COMMON_RECORDING_PATH);
  const policy = { mode: 'always', quality: 'main', schedule: [], retentionDays: 0 } as const;
  await scene.call('chief', 'PUT', COMMON_RECORDING_PATH, { policy, version });
}

async function answerEmergency(): Promise<void> {
  const [event] = await waitFor(
    'an event',
    () => list<EventRow>(`${EVENTS_PATH}?types=emergency`),
    (rows) => rows.length > 0,
  );
  const events = [{ id: event?.id, version: event?.version }];
  await scene.call('chief', 'POST', EVENT_ACT_PATH, { act: 'acknowledge', note: NOTE, events });
}

async function ruleOfEmergency(): Promise<EventRuleRow> {
  const rows = await get<readonly EventRuleRow[]>(`${EVENT_RULES_PATH}?scope=installation`);
  return rows.find(({ type }) => type === RULE.type) ?? expect.fail();
}

async function setRule(settings: object): Promise<void> {
  const { version } = await ruleOfEmergency();
  await scene.call('chief', 'PUT', EVENT_RULES_PATH, { ...RULE, version, settings });
}

async function memberNames(): Promise<readonly string[]> {
  return (await list<Member>(`${MEMBERS_PATH}?limit=100&offset=0`)).map(({ username }) => username);
}

const fenceNames = async () => (await list<{ readonly name: string }>(FENCES_PATH)).map(({ name }) => name);

/** With the passphrase of the plan, which stays off. */
async function backUp(): Promise<void> {
  const { hasKey: _, nextRunAtMs: __, ...plan } = await get<BackupPlan>(BACKUP_PLAN_PATH);
  const key = { encryption: 'passphrase', passphrase: PASSPHRASE, newRecoveryKey: false, password: PASSWORD };
  await scene.call('chief', 'PUT', BACKUP_PLAN_PATH, { ...plan, ...key });
  await scene.call('chief', 'POST', BACKUPS_PATH, { note: '' });
  await waitFor(
    'a backup, and its test',
    () => get<BackupList>(BACKUPS_PATH),
    ({ backups }) => backups.some(({ test: { state } }) => state === 'passed'),
  );
}

async function ruin(): Promise<void> {
  const bus = await get<{ readonly version: number }>(`${DEVICES_PATH}/${BUS.deviceId}`);
  await scene.call('chief', 'DELETE', `${DEVICES_PATH}/${BUS.deviceId}?version=${bus.version}&recordings=keep`);
  const members = await list<Member>(`${MEMBERS_PATH}?limit=100&offset=0`);
  const viewer = members.find(({ username }) => username === 'viewer') ?? expect.fail();
  await scene.call('chief', 'DELETE', `${MEMBERS_PATH}/${viewer.id}?version=${viewer.version}`);
  const fences = await list<{ readonly id: number; readonly name: string; readonly version: number }>(FENCES_PATH);
  const fence = fences.find(({ name }) => name === FENCE) ?? expect.fail();
  await scene.call('chief', 'DELETE', `${FENCES_PATH}/${fence.id}?version=${fence.version}`);
  await setRule({});
  const { presets: _, ...settings } = await get<ServerSettings>(SERVER_SETTINGS_PATH);
  await scene.call('chief', 'PUT', SERVER_SETTINGS_PATH, { ...settings, webTitle: TITLES.now });
}

/** Ends at sign-in. */
async function restore(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: /^Restore the backup of/ })
    .first()
    .click();
  const dialog = page.getByRole('dialog', { name: /^Restore the backup of/ });
  const tables = dialog.getByRole('region', { name: 'Tables that change' });
  for (const table of ['device', 'app_user', 'fence', 'event_rule', 'setting'])
    await tables.getByText(table, { exact: true }).waitFor();
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await dialog.getByRole('textbox', { name: 'Title of this site' }).fill(TITLES.now);
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await expectAccessible(page, 'the confirmation');
  await dialog.getByRole('button', { name: 'Restore' }).click();
  await dialog.getByText("Restore in progress. You'll be signed out.").waitFor();
  await page.waitForURL(/login/, { timeout: 2 * MINUTE_MS });
}

test(
  'a site that lost its devices, members and rules gets them back, and goes on (S-2.4.19)',
  async () => {
    await recordAlways();
    const script = [{ kind: 'alarm', atSeconds: 1, forSeconds: 5, bits: [AlarmBit.Emergency] }] as const;
    const sinceMs = Date.now();
    startVehicle(scene, BUS, { channels: 1, clip: await loadDemoClip('road'), script: [...script] });
    await scene.call('chief', 'POST', FENCES_PATH, { ...CIRCLE, name: FENCE });
    await setRule({ severity: 'info' });
    await answerEmergency();
    const recordedSince = (fromMs: number, toMs = Date.now()) => msOnServer(scene, BUS, { fromMs, toMs });
    await waitFor(
      'a recording',
      () => recordedSince(sinceMs),
      (ms) => ms > RECORDED_MS,
    );
    const recordedAtMs = Date.now();
    await backUp();

    await ruin();
    expect([await memberNames(), await fenceNames()]).toEqual([expect.not.arrayContaining(['viewer']), []]);
    const page = await scene.openPage('chief', PAGE, { allowed: WHILE_RESTORING });
    await expect.poll(() => page.title()).toBe(TITLES.now);
    await restore(page);
    await expect.poll(() => page.title()).toBe(TITLES.archived);
    expect(await scene.statusOf('chief', BACKUPS_PATH)).toBe(401);

    await scene.signInAgain('chief');
    await scene.signInAgain('archivist');
    await page.goto(PAGE);
    await page.getByText(/^Backup of .* restored \d{4}-\d\d-\d\d/).waitFor();
    await page.getByRole('listitem').getByText('Before a restore', { exact: true }).waitFor();
    expect(await memberNames()).toContain('viewer');
    expect(await fenceNames()).toEqual([FENCE]);
    expect((await ruleOfEmergency()).own).toEqual({ severity: 'info' });
    const [answered] = await list<EventRow>(`${EVENTS_PATH}?types=emergency&deviceid=${BUS.deviceId}`);
    expect(answered).toMatchObject({ status: 'acknowledged', deviceName: BUS.name });
    expect(await recordedSince(sinceMs, recordedAtMs)).toBeGreaterThan(RECORDED_MS / 2);
    const newAtMs = Date.now();
    await waitFor(
      'the vehicle, which records again',
      () => recordedSince(newAtMs),
      (ms) => ms > RECORDED_MS,
    );

    const audit = await list<AuditRow>(`${AUDIT_PATH}?sort=at&limit=100&offset=0`);
    const actions = audit.map(({ action }) => action);
    // What was done since the backup stays in it.
    for (const action of [...OF_BACKUPS, 'device.remove', 'user.remove']) expect(actions).toContain(action);
  },
  5 * MINUTE_MS,
);
