// Secrets and names for a search of a support bundle: wherever an installation can keep them.
import Database from 'better-sqlite3';
import { hashSecret } from '../../../server/auth/secrets.ts';
import type { Stores } from '../../../server/store/stores.ts';
import { Permission } from '../../../shared/protocol/permissions.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { aFenceContent } from '../aFence.ts';
import { cheapHash } from '../fakes/cheapHash.ts';
import { newDeviceRecord } from '../newDeviceRecord.ts';
import { MAIL_SETTINGS, senderFields } from '../notify/aSenderRecord.ts';
import { aRuleContent, aStep } from '../notify/notifyFacts.ts';
import { templateContent } from '../templateContents.ts';

/** The gateway is given them, and keeps at most a hash. */
export const UNKEPT = {
  password: 'planted-password-01',
  adminPassword: 'planted-admin-password-02',
  metricsToken: 'planted-metrics-token-03',
  linkSecret: 'planted-link-secret-04',
  publicHost: 'planted-host-05.example',
  mapStyle: 'https://planted-06.example/style.json',
  presetTitle: 'Planted Preset Title 07',
};

/** They stand in the database. */
export const STORED = {
  username: 'planted-user-10',
  displayName: 'Planted Person 11',
  email: 'planted-12@example.com',
  phone: '+886900000013',
  memberGroup: 'Planted Depot 14',
  deviceGroup: 'Planted Buses 15',
  deviceId: 'PLANTED-16',
  deviceName: 'Planted Vehicle 17',
  plate: 'PLT-0018',
  terminal: '13900000019',
  sim: '+886900000020',
  notes: 'Planted note 21',
  channelName: 'Planted camera 22',
  typedModel: 'Planted model 23',
  terminalId: 'PLNT024',
  iccid: '89860000000000000025',
  linkNote: 'Planted link 26',
  senderName: 'Planted sender 27',
  senderUser: 'planted-smtp-28',
  senderAddress: 'planted-29@example.com',
  senderHost: 'planted-mail-30.example',
  senderSecret: 'planted-sealed-31',
  templateName: 'Planted template 32',
  templateBody: 'Planted body 33',
  fence: 'Planted fence 34',
  latitude: '25.0335351',
  longitude: '121.5636361',
  rule: 'Planted rule 37',
  ruleAddress: 'planted-38@example.com',
  strangersNumber: '13900000039',
  strangersId: 'STRANGER40',
  strangersPlate: 'PLT-0041',
  strangersAddress: '192.0.2.142',
  auditTarget: 'Planted target 43',
  host: 'planted-gateway-44',
  title: 'Planted Title 45',
};

/** They stand in the log. */
export const LOGGED = {
  driver: 'Planted Driver 46',
  cause: 'planted cause 47',
  loggedPath: '/srv/planted-48/recordings',
  loggedAddress: '198.51.100.149',
  loggedMessage: 'Planted failure 50',
  loggedToken: 'planted-token-51',
};

/** Settings of the gateway with what it keeps nowhere. */
export const PLANTED_ENVIRONMENT = {
  ADMIN_PASSWORD: UNKEPT.adminPassword,
  METRICS_TOKEN: UNKEPT.metricsToken,
  PUBLIC_HOST: UNKEPT.publicHost,
  MAP_STYLE_URL: UNKEPT.mapStyle,
  WEB_TITLE: UNKEPT.presetTitle,
};

/** All of `STORED` but the title, which is set on the page. The member may run the installation. */
export async function plantAll(stores: Stores): Promise<void> {
  const { owner, group } = await plantPeople(stores);
  await plantDevice(stores, owner);
  await plantRules(stores, group);
  await plantStrangers(stores);
}

async function plantPeople(stores: Stores): Promise<{ readonly owner: number; readonly group: number }> {
  const { username, displayName, email, phone, memberGroup } = STORED;
  const passwordHash = await cheapHash(UNKEPT.password);
  const permissions = [Permission.System, Permission.Version];
  const owner = await stores.users.insert(
    { username, passwordHash, permissions, displayName, email, phone },
    wallMs(Date.now()),
  );
  const group = await stores.memberGroups.insert({ name: memberGroup });
  await stores.memberGroups.setGroupsOfUser(owner, [group]);
  return { owner, group };
}

async function plantDevice(stores: Stores, owner: number): Promise<void> {
  const at = wallMs(Date.now());
  const { deviceId, deviceName, plate, terminal, sim, notes, channelName, typedModel, terminalId, iccid } = STORED;
  const deviceGroup = await stores.deviceGroups.insert(STORED.deviceGroup);
  const fields = { name: deviceName, plate, terminal, sim, notes, channelNames: [channelName], model: typedModel };
  const record = newDeviceRecord(deviceId, { ...fields, chn: 1, installchs: '1', deviceGroup });
  await stores.deviceRecords.insert(record, [], at);
  const incarnation = (await stores.devices.findByDeviceId(deviceId))?.incarnation ?? 0;
  const versions = { manufacturer: 'FLGLS', model: 'S', hardwareVersion: 'H', firmwareVersion: '1.0' };
  await stores.terminalAttributes.keep(incarnation, { ...versions, terminalId, iccid, reportedAtMs: at });
  const zeros = { altitudeM: 0, speedKmh: 0, headingDeg: 0, alarmBits: 0, statusBits: 0, extra: {} };
  const place = { latitude: Number(STORED.latitude), longitude: Number(STORED.longitude) };
  await stores.positions.append([{ ...zeros, ...place, deviceId, incarnation, deviceTimeMs: at, receivedAtMs: at }]);
  const secretHash = hashSecret(UNKEPT.linkSecret);
  const link = {
    secretHash,
    ownerId: owner,
    deviceId,
    channelMask: 1,
    kinds: ['live'],
    note: STORED.linkNote,
  } as const;
  await stores.linkCredentials.insert(link, at);
}

async function plantRules(stores: Stores, group: number): Promise<void> {
  const change = { by: STORED.username, atMs: wallMs(Date.now()) };
  const { senderName, senderUser, senderAddress, senderHost, senderSecret, templateName, templateBody } = STORED;
  const settings = { ...MAIL_SETTINGS, username: senderUser, fromAddress: senderAddress, host: senderHost };
  // Not enabled: nothing is sent to a host that isn't there.
  const sender = senderFields({ name: senderName, settings, enabled: false });
  await stores.notifySenders.insert(sender, () => senderSecret);
  const texts = { en: { subject: 'x', body: templateBody } };
  await stores.notifyTemplates.add(templateContent({ name: templateName, texts }), change);
  await stores.fences.insert(group, { ...change, content: aFenceContent({ name: STORED.fence }) });
  const content = aRuleContent({
    name: STORED.rule,
    steps: [aStep({ addresses: [STORED.ruleAddress] })],
    enabled: false,
  });
  await stores.notifyRules.insert({ memberGroup: group }, { ...change, content });
}

async function plantStrangers(stores: Stores): Promise<void> {
  const at = wallMs(Date.now());
  const { strangersNumber, strangersId, strangersPlate, strangersAddress, auditTarget, host } = STORED;
  const terminal = { canonical: strangersNumber, raw: strangersNumber.padStart(12, '0') };
  const identity = { edition: '2013', manufacturer: 'M', model: 'X', terminalId: strangersId } as const;
  await stores.unknownTerminals.note(
    { ...identity, terminal, plate: strangersPlate, plateColour: 1, address: strangersAddress },
    at,
  );
  await stores.audit.add({ actor: 'x', action: 'device.add', target: auditTarget }, at);
  await stores.gateways.seen({ id: 'other', host, version: '1.0.0', startedAtMs: at, seenAtMs: at });
}

/** Every row of every table. */
export function storedText(folder: string): string {
  const database = new Database(`${folder}/fleetglass.db`, { readonly: true });
  const tables = database.prepare(`select name from sqlite_master where type = 'table'`).pluck().all() as string[];
  const text = tables.map((table) => JSON.stringify(database.prepare(`select * from "${table}"`).all())).join('\n');
  database.close();
  return text;
}

/** What of the texts stands in which file, upper or lower case; also what only begins as they do. */
export function foundIn(files: ReadonlyMap<string, string>, planted: readonly string[]): readonly string[] {
  const found = (content: string) => planted.filter((text) => content.toLowerCase().includes(text.toLowerCase()));
  return [...files].flatMap(([name, content]) =>
    [...found(content), ...(content.match(/planted.*/gi) ?? [])].map((text) => `${name}: ${text}`),
  );
}
