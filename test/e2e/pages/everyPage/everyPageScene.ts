// One gateway that has something to show on every page, and a chief who may open all of them.
import { hashSecret } from '../../../../server/auth/secrets.ts';
import type { Stores } from '../../../../server/store/stores.ts';
import { MEMBERS_PATH, type Member } from '../../../../shared/protocol/api/accounts.ts';
import { EVENTS_PATH } from '../../../../shared/protocol/api/events.ts';
import { FENCES_PATH } from '../../../../shared/protocol/api/fences/fences.ts';
import { NOTIFY_RULES_PATH } from '../../../../shared/protocol/api/notify/notifyRules.ts';
import { OWN_NOTIFY_PATH } from '../../../../shared/protocol/api/notify/ownNotify.ts';
import { SENDERS_PATH } from '../../../../shared/protocol/api/notify/senders.ts';
import { TEMPLATES_PATH, type TemplateContent } from '../../../../shared/protocol/api/notify/templates.ts';
import { REPORT_JOBS_PATH, type ReportJob, reportJobPath } from '../../../../shared/protocol/api/reports/reports.ts';
import { BACKUPS_PATH, type Backup, type BackupList } from '../../../../shared/protocol/api/system/backups.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { type SmtpSink, startSmtpSink } from '../../../support/notify/smtpSink.ts';
import { reportParameters } from '../../../support/reports/reportParameters.ts';
import { waitFor } from '../../../support/waitFor.ts';
import { addSpareBus, positionOf } from '../events/eventScene.ts';
import { mailSender, PUSH_SENDER, ruleOf, syslogSender, webhookSender } from '../notify/notifyScene.ts';
import {
  BUS,
  CIRCLE,
  driveOnce,
  type Fleet,
  spanOfDrive,
  startTrackScene,
  type TrackScene,
} from '../tracks/trackScene.ts';
import { addPlan, addSync } from '../upkeep/upkeepScene.ts';

/** Drives and sends live video while the dashboard is looked at. */
export const TRAM = { deviceId: 'TRAM1', name: 'Tram 1', number: '13900003301' } as const;
/** Its number is used by a terminal that is not the one that it was adopted with. */
const TWIN = { deviceId: 'TWIN1', name: 'Twin bus', number: '13900003302' } as const;
export const RULE_NAME = 'Night shift';
/** The built-in roles. */
export const ROLES = ['operator', 'manager', 'administrator'] as const;
const EMERGENCY = 1;
/** Nobody listens there: what is sent by mail alone is looked at. */
const DEAF_PORT = 9;

export interface EveryPageScene extends TrackScene {
  /** The bus has driven two trips. What dials a terminal is called by a test, with which the terminal leaves. */
  drive(): Promise<void>;
  /** An event that members were told of by mail; gives its ID. */
  toldEvent(): Promise<number>;
  /** A report of the trips; gives its ID. */
  doneReport(): Promise<number>;
  /** The backup that was begun with the scene has passed its test. */
  testedBackup(): Promise<void>;
}

export async function startEveryPageScene(): Promise<EveryPageScene> {
  const mail = await startSmtpSink();
  const scene = await startTrackScene({
    vehicles: [TRAM, TWIN],
    environment: (address) => ({ PUBLIC_URL: address, NOTIFY_NETWORKS: '127.0.0.1', WEB_TITLE: 'Northern Fleet' }),
    fillMore,
  });
  await scene.call('chief', 'POST', FENCES_PATH, { ...CIRCLE, name: 'Depot' });
  await addSync(scene);
  await addPlan(scene);
  await addNotifying(scene, mail.port);
  const { id: backup } = (await scene.call('chief', 'POST', BACKUPS_PATH, { note: 'To look at' })) as Backup;
  const drive = driveOnce(() => scene);
  return {
    ...scene,
    drive,
    toldEvent: once(() => tellOf(scene, mail)),
    doneReport: once(async () => {
      await drive();
      return reportTrips(scene);
    }),
    testedBackup: () => untilTested(scene, backup),
    close: async () => {
      await scene.close();
      await mail.close();
    },
  };
}

function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

async function fillMore(stores: Stores, { deviceGroup, memberGroup }: Fleet): Promise<void> {
  const now = wallMs(Date.now());
  await addSpareBus(stores, deviceGroup);
  for (const builtIn of ROLES) {
    const { id: role } = await stores.roles.findBuiltIn(builtIn);
    const chief = await stores.users.findByName('chief');
    const passwordHash = chief?.passwordHash ?? '';
    const id = await stores.users.insert({ username: builtIn, passwordHash, permissions: [], role }, now);
    await stores.memberGroups.setGroupsOfUser(id, [memberGroup]);
    const link = { ownerId: id, deviceId: BUS.deviceId, channelMask: 1, kinds: ['live'], note: `case ${id}` } as const;
    await stores.linkCredentials.insert({ ...link, secretHash: hashSecret(builtIn) }, now);
  }
  const change = { before: { name: 'Bus' }, after: { name: 'Bus 1' } };
  await stores.audit.add({ actor: 'mei', action: 'device.change', target: BUS.deviceId, ...change }, now);
  await noteTwin(stores);
}

async function noteTwin(stores: Stores): Promise<void> {
  await stores.devices.update(TWIN.deviceId, { identity: { manufacturer: 'OLD', terminalId: 'OLD-9' } });
  const sighting = {
    edition: '2019',
    manufacturer: 'NEW',
    model: 'N1',
    terminalId: 'NEW-9',
    plate: '',
    plateColour: 0,
    address: '192.0.2.9',
    deviceId: TWIN.deviceId,
    terminal: { canonical: TWIN.number, raw: TWIN.number.padStart(20, '0') },
  };
  await stores.unknownTerminals.note(sighting, wallMs(Date.now()));
}

const NIGHT_MAIL: TemplateContent = {
  name: 'Night mail',
  kind: 'email',
  fallback: 'en',
  texts: { en: { subject: '{{event.type}}', body: 'At {{event.begin}}' } },
};

/** Senders of each kind, a template, and a rule by which a member and an address are told of the bus. */
async function addNotifying(scene: TrackScene, mailPort: number): Promise<void> {
  const choices = { phone: '', channels: ['email'], quietHours: [], messageLanguage: '' };
  await scene.call('reporter', 'PUT', OWN_NOTIFY_PATH, { ...choices, email: 'reporter@fleet.example' });
  for (const sender of [webhookSender(DEAF_PORT), syslogSender(DEAF_PORT), PUSH_SENDER])
    await scene.call('chief', 'POST', SENDERS_PATH, sender);
  await scene.call('chief', 'POST', TEMPLATES_PATH, NIGHT_MAIL);
  const { id: sender } = (await scene.call('chief', 'POST', SENDERS_PATH, mailSender(mailPort))) as { id: number };
  const list = await scene.call('chief', 'GET', `${MEMBERS_PATH}?limit=100&offset=0`);
  const reporter = (list as { rows: readonly Member[] }).rows.find(({ username }) => username === 'reporter');
  const recipients = { members: [reporter?.id ?? 0], roles: [], addresses: ['desk@fleet.example'] };
  const step = { afterMinutes: 0, deliveries: [{ sender, template: 0 }], ...recipients };
  await scene.call('chief', 'POST', NOTIFY_RULES_PATH, ruleOf(RULE_NAME, BUS.deviceId, [step]));
}

async function tellOf(scene: TrackScene, { mails }: SmtpSink): Promise<number> {
  const terminal = await scene.dial(BUS);
  terminal.say(positionOf(0));
  terminal.say(positionOf(EMERGENCY));
  await waitFor(
    'the mails',
    () => mails.length,
    (count) => count === 2,
  );
  const path = `${EVENTS_PATH}?deviceid=${BUS.deviceId}&types=emergency`;
  const { rows } = (await scene.call('chief', 'GET', path)) as { readonly rows: readonly { readonly id: number }[] };
  return rows[0]?.id ?? 0;
}

async function reportTrips(scene: TrackScene): Promise<number> {
  const parameters = reportParameters({ ...spanOfDrive(scene), timeZone: 'Asia/Taipei' });
  const request = { kind: 'trips', parameters };
  const { id } = (await scene.call('chief', 'POST', REPORT_JOBS_PATH, request)) as ReportJob;
  const job = async () => (await scene.call('chief', 'GET', reportJobPath(id))) as ReportJob;
  await waitFor('the report', job, ({ state }) => state === 'done');
  return id;
}

async function untilTested(scene: TrackScene, id: number): Promise<void> {
  const list = async () => (await scene.call('chief', 'GET', BACKUPS_PATH)) as BackupList;
  const isTested = ({ backups }: BackupList) =>
    backups.some((backup) => backup.id === id && backup.test.state === 'passed');
  await waitFor('a backup that has passed its test', list, isTested);
}
