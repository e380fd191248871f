// A support bundle of a gateway in which secrets and names are wherever they can be stored or logged.
import Database from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import { type Gateway, startGateway } from '../../../../server/app/gateway.ts';
import { createPasswords } from '../../../../server/auth/passwords.ts';
import { hashSecret } from '../../../../server/auth/secrets.ts';
import { readConfig } from '../../../../server/config/readConfig.ts';
import { createLog, type Log } from '../../../../server/process/log.ts';
import { LogRing } from '../../../../server/process/logRing.ts';
import { BUNDLE_PATH } from '../../../../shared/protocol/api/system/bundle.ts';
import { SERVER_SETTINGS_PATH } from '../../../../shared/protocol/api/system/settings.ts';
import { Permission } from '../../../../shared/protocol/permissions.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { aFenceContent } from '../../../support/aFence.ts';
import { readArchive } from '../../../support/media/readArchive.ts';
import { newDeviceRecord } from '../../../support/newDeviceRecord.ts';
import { MAIL_SETTINGS, senderFields } from '../../../support/notify/aSenderRecord.ts';
import { aRuleContent, aStep } from '../../../support/notifyFacts.ts';
import { createTempFolder } from '../../../support/tempFolder.ts';
import { templateContent } from '../../../support/templateContents.ts';

/** The gateway is given them, and keeps at most a hash. */
const UNKEPT = {
  password: 'planted-password-01',
  adminPassword: 'planted-admin-password-02',
  metricsToken: 'planted-metrics-token-03',
  linkSecret: 'planted-link-secret-04',
  publicHost: 'planted-host-05.example',
  mapStyle: 'https://planted-06.example/style.json',
  presetTitle: 'Planted Preset Title 07',
};

/** They stand in the database or in the log. */
const KEPT = {
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
  driver: 'Planted Driver 46',
  cause: 'planted cause 47',
  loggedPath: '/srv/planted-48/recordings',
  loggedAddress: '198.51.100.149',
  loggedMessage: 'Planted failure 50',
  loggedToken: 'planted-token-51',
};

async function start() {
  const folder = await createTempFolder();
  const read = readConfig({
    ...{ HOST: '127.0.0.1', PORT: '0', JT808_PORT: '0', JT1078_PORT: '0', ATTACHMENT_PORT: '0' },
    ...{ FTP_PORT: '0', FTP_PASSIVE_PORTS: '0', DATA_DIR: folder.path },
    ...{ ADMIN_PASSWORD: UNKEPT.adminPassword, METRICS_TOKEN: UNKEPT.metricsToken, PUBLIC_HOST: UNKEPT.publicHost },
    ...{ MAP_STYLE_URL: UNKEPT.mapStyle, WEB_TITLE: UNKEPT.presetTitle },
  });
  if (!read.ok) throw new Error(read.problems.join('\n'));
  const recentLog = new LogRing();
  const log = createLog('trace', { write: (line) => recentLog.write(line) });
  const gateway = await startGateway(read.config, { log, recentLog });
  onTestFinished(async () => {
    await gateway.close();
    await folder.remove();
  });
  return { gateway, log, recentLog, folder: folder.path };
}

async function plantPeople({ stores }: Gateway): Promise<{ readonly owner: number; readonly group: number }> {
  const { username, displayName, email, phone, memberGroup } = KEPT;
  const passwordHash = await (await createPasswords()).hash(UNKEPT.password);
  const permissions = [Permission.System, Permission.Version];
  const owner = await stores.users.insert(
    { username, passwordHash, permissions, displayName, email, phone },
    wallMs(Date.now()),
  );
  const group = await stores.memberGroups.insert({ name: memberGroup });
  await stores.memberGroups.setGroupsOfUser(owner, [group]);
  return { owner, group };
}

async function plantDevice({ stores }: Gateway, owner: number): Promise<void> {
  const at = wallMs(Date.now());
  const { deviceId, deviceName, plate, terminal, sim, notes, channelName, typedModel, terminalId, iccid } = KEPT;
  const deviceGroup = await stores.deviceGroups.insert(KEPT.deviceGroup);
  const fields = { name: deviceName, plate, terminal, sim, notes, channelNames: [channelName], model: typedModel };
  const record = newDeviceRecord(deviceId, { ...fields, chn: 1, installchs: '1', deviceGroup });
  await stores.deviceRecords.insert(record, [], at);
  const incarnation = (await stores.devices.findByDeviceId(deviceId))?.incarnation ?? 0;
  const versions = { manufacturer: 'FLGLS', model: 'S', hardwareVersion: 'H', firmwareVersion: '1.0' };
  await stores.terminalAttributes.keep(incarnation, { ...versions, terminalId, iccid, reportedAtMs: at });
  const zeros = { altitudeM: 0, speedKmh: 0, headingDeg: 0, alarmBits: 0, statusBits: 0, extra: {} };
  const place = { latitude: Number(KEPT.latitude), longitude: Number(KEPT.longitude) };
  await stores.positions.append([{ ...zeros, ...place, deviceId, incarnation, deviceTimeMs: at, receivedAtMs: at }]);
  const secretHash = hashSecret(UNKEPT.linkSecret);
  const link = { secretHash, ownerId: owner, deviceId, channelMask: 1, kinds: ['live'], note: KEPT.linkNote } as const;
  await stores.linkCredentials.insert(link, at);
}

async function plantRules({ stores }: Gateway, group: number): Promise<void> {
  const change = { by: KEPT.username, atMs: wallMs(Date.now()) };
  const { senderName, senderUser, senderAddress, senderHost, senderSecret, templateName, templateBody } = KEPT;
  const settings = { ...MAIL_SETTINGS, username: senderUser, fromAddress: senderAddress, host: senderHost };
  // Not enabled: nothing is sent to a host that isn't there.
  const sender = senderFields({ name: senderName, settings, enabled: false });
  await stores.notifySenders.insert(sender, () => senderSecret);
  const texts = { en: { subject: 'x', body: templateBody } };
  await stores.notifyTemplates.add(templateContent({ name: templateName, texts }), change);
  await stores.fences.insert(group, { ...change, content: aFenceContent({ name: KEPT.fence }) });
  const content = aRuleContent({ name: KEPT.rule, steps: [aStep({ addresses: [KEPT.ruleAddress] })], enabled: false });
  await stores.notifyRules.insert(group, { ...change, content });
}

async function plantStrangers({ stores }: Gateway): Promise<void> {
  const at = wallMs(Date.now());
  const { strangersNumber, strangersId, strangersPlate, strangersAddress, auditTarget, host } = KEPT;
  const terminal = { canonical: strangersNumber, raw: strangersNumber.padStart(12, '0') };
  const identity = { edition: '2013', manufacturer: 'M', model: 'X', terminalId: strangersId } as const;
  await stores.unknownTerminals.note(
    { ...identity, terminal, plate: strangersPlate, plateColour: 1, address: strangersAddress },
    at,
  );
  await stores.audit.add({ actor: 'x', action: 'device.add', target: auditTarget }, at);
  await stores.gateways.seen({ id: 'other', host, version: '1.0.0', startedAtMs: at, seenAtMs: at });
}

function plantLines(log: Log): void {
  const { driver, cause, loggedPath, loggedAddress, loggedMessage, loggedToken } = KEPT;
  log.error({ err: new Error(`of ${driver}`, { cause: new Error(cause) }) }, 'positions');
  log.error(new Error(loggedMessage));
  log.warn({ path: loggedPath, address: loggedAddress, names: [driver] }, `recorder: ${driver}`);
  log.info({ nested: { [loggedToken]: driver }, text: loggedToken }, 'request');
}

interface Caller {
  readonly address: string;
  readonly cookie: string;
}

async function signIn({ address }: Gateway): Promise<Caller> {
  const signedIn = await fetch(`${address}/api/user/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: address },
    body: JSON.stringify({ username: KEPT.username, password: UNKEPT.password }),
  });
  const cookies = signedIn.headers.getSetCookie().map((each) => each.split(';', 1)[0]);
  return { address, cookie: cookies.join('; ') };
}

async function send({ address, cookie }: Caller, method: string, path: string, body?: object): Promise<Response> {
  const headers = { cookie, origin: address, ...(body === undefined ? {} : { 'content-type': 'application/json' }) };
  return fetch(new URL(path, address), { method, headers, ...(body && { body: JSON.stringify(body) }) });
}

async function plantTitle(caller: Caller): Promise<void> {
  const { version } = (
    (await (await send(caller, 'GET', SERVER_SETTINGS_PATH)).json()) as { data: { version: number } }
  ).data;
  const unset = { liveLayout: null, playbackLayout: null, maxLicense: null, licenseExpires: null };
  const changed = await send(caller, 'PUT', SERVER_SETTINGS_PATH, { ...unset, version, webTitle: KEPT.title });
  expect(changed.status).toBe(200);
}

async function downloaded(caller: Caller): Promise<ReadonlyMap<string, string>> {
  const offered = (await (await send(caller, 'POST', BUNDLE_PATH)).json()) as { data: { address: string } };
  const zip = await fetch(new URL(offered.data.address, caller.address));
  expect(zip.status).toBe(200);
  const files = readArchive(Buffer.from(await zip.arrayBuffer()), true);
  return new Map([...files].map(([name, bytes]) => [name, bytes.toString()]));
}

/** Every row of every table. */
function storedText(folder: string): string {
  const database = new Database(`${folder}/fleetglass.db`, { readonly: true });
  const tables = database.prepare(`select name from sqlite_master where type = 'table'`).pluck().all() as string[];
  const text = tables.map((table) => JSON.stringify(database.prepare(`select * from "${table}"`).all())).join('\n');
  database.close();
  return text;
}

it('has none of fifty secrets and names', { timeout: 60_000 }, async () => {
  const { gateway, log, recentLog, folder } = await start();
  const { owner, group } = await plantPeople(gateway);
  await plantDevice(gateway, owner);
  await plantRules(gateway, group);
  await plantStrangers(gateway);
  plantLines(log);
  const caller = await signIn(gateway);
  await plantTitle(caller);
  // What nobody may see has been seen by the gateway: in an address, and as a name.
  await send(caller, 'GET', `/live/${UNKEPT.linkSecret}?x=${UNKEPT.metricsToken}`);
  await send(caller, 'POST', '/api/user/login', { username: KEPT.displayName, password: UNKEPT.adminPassword });

  const held = `${storedText(folder)}\n${recentLog.read().join('\n')}`;
  for (const [name, text] of Object.entries(KEPT)) expect([name, held.includes(text)]).toEqual([name, true]);

  const files = await downloaded(caller);
  const planted = [...Object.values(UNKEPT), ...Object.values(KEPT), caller.cookie.split('=')[1] ?? '?', folder];
  expect(planted.length).toBeGreaterThan(50);
  for (const [name, content] of files) {
    const found = planted.filter((text) => content.toLowerCase().includes(text.toLowerCase()));
    expect([name, found]).toEqual([name, []]);
    expect([name, content.match(/planted.*/i)?.[0]]).toEqual([name, undefined]);
  }

  // And it has what it is for.
  expect(JSON.parse(files.get('terminals.json') ?? '').kinds).toMatchObject([{ manufacturer: 'FLGLS', devices: 1 }]);
  expect(files.get('log.jsonl')).toContain('"msg":"positions"');
  expect(files.get('metrics.txt')).toContain('fleetglass_http_request_duration_seconds_count');
  expect(JSON.parse(files.get('configuration.json') ?? '')).toMatchObject({ PUBLIC_HOST: true, MAX_LICENSE: 0 });
  const entries = await gateway.stores.audit.list({ limit: 10 });
  expect(entries.map(({ action }) => action)).toContain('support.bundle');
});
