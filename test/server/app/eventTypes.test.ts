// Event types that administrators define, by way of the whole gateway: a call, and what a terminal over TCP then raises.
import { expect, it, onTestFinished } from 'vitest';
import { type Gateway, startGateway } from '../../../server/app/gateway.ts';
import { readConfig } from '../../../server/config/readConfig.ts';
import { MessageId, StatusBit } from '../../../server/device/jt808/codec/codes.ts';
import type { MessageBody } from '../../../server/device/jt808/codec/message.ts';
import { createLog } from '../../../server/process/log.ts';
import { EVENT_REASONS_PATH, EVENT_TYPES_PATH, type EventTypeRecord } from '../../../shared/protocol/api/eventTypes.ts';
import { BUILT_IN_REASON_CODES } from '../../../shared/protocol/events/builtInReasons.ts';
import { ALL_PERMISSIONS } from '../../../shared/protocol/permissions.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { anyEventType } from '../../support/anyEventType.ts';
import { prepareDataDir } from '../../support/databases/sqliteFile.ts';
import { cheapHash } from '../../support/fakes/cheapHash.ts';
import { createTempFolder } from '../../support/tempFolder.ts';
import { waitFor } from '../../support/waitFor.ts';
import { RawTerminal } from '../device/rawTerminal.ts';
import { PROFILE } from '../device/testGateway.ts';

const PASSWORD = 'correct horse battery';
const RAMP_ITEM = 0xe1;

async function openGateway(): Promise<Gateway> {
  const folder = await createTempFolder();
  onTestFinished(() => folder.remove());
  const ports = {
    HOST: '127.0.0.1',
    PORT: '0',
    JT808_PORT: '0',
    JT1078_PORT: '0',
    ATTACHMENT_PORT: '0',
    FTP_PORT: '0',
    LOG_LEVEL: 'silent',
  };
  const read = readConfig({ ...ports, DATA_DIR: folder.path });
  if (!read.ok) throw new Error(read.problems.join('\n'));
  await prepareDataDir(folder.path);
  const gateway = await startGateway(read.config, { log: createLog('silent') });
  onTestFinished(() => gateway.close());
  const deviceGroup = await gateway.stores.deviceGroups.insert('Buses');
  const terminal = { canonical: PROFILE.number, raw: PROFILE.number.padStart(20, '0') };
  await gateway.stores.devices.insert({ deviceId: 'BUS1', name: 'Bus 1', chn: 1, terminal, deviceGroup });
  const user = { username: 'ann', passwordHash: await cheapHash(PASSWORD), permissions: ALL_PERMISSIONS };
  await gateway.stores.users.insert(user, wallMs(Date.now()));
  return gateway;
}

async function signIn({ address }: Gateway) {
  const call = async (method: string, path: string, body?: object, cookie = ''): Promise<Response> => {
    const headers = { 'content-type': 'application/json', origin: address, cookie };
    return fetch(address + path, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
  };
  const answer = await call('POST', '/api/user/login', { username: 'ann', password: PASSWORD });
  const cookie = answer.headers.getSetCookie().map((each) => each.split(';')[0]);
  return async <Data>(method: string, path: string, body?: object): Promise<Data> => {
    const response = await call(method, path, body, cookie.join('; '));
    const { data } = (await response.json()) as { data: Data };
    expect(response.status).toBe(200);
    return data;
  };
}

function position(seconds: number, ramp: number): MessageBody {
  return {
    kind: 'position',
    alarm: 0,
    status: 1 << StatusBit.Fixed,
    latitude: 25,
    longitude: 121,
    altitudeMeters: 0,
    speedKmh: 30,
    direction: 0,
    time: wallMs(Math.floor(Date.now() / 1000 + seconds) * 1000),
    items: [{ id: RAMP_ITEM, value: Uint8Array.of(ramp) }],
    tail: new Uint8Array(0),
  };
}

/** Settles once the gateway has answered: what the position raises is stored by then. */
async function report(terminal: RawTerminal, body: MessageBody): Promise<void> {
  const answers = () =>
    terminal.heard.filter((each) => each.kind === 'platformGeneralReply' && each.replyId === MessageId.position).length;
  const before = answers();
  terminal.say(body);
  await waitFor('the answer', answers, (count) => count > before);
}

it('raises what administrators define from the next report on, as they define it', async () => {
  const gateway = await openGateway();
  const ask = await signIn(gateway);
  const terminal = await RawTerminal.dial({ port: gateway.jt808Port });
  await terminal.signIn();
  const events = async () => {
    const all = await gateway.stores.eventLog.tracked(0);
    return all.flatMap((each) => (each.archiveNumber > 0 ? [[each.type, each.severity, each.endAtMs > 0]] : []));
  };
  await report(terminal, position(0, 4));
  expect(await events()).toEqual([]);

  const first = await ask<EventTypeRecord>('POST', EVENT_TYPES_PATH, anyEventType());
  await report(terminal, position(1, 4));
  expect(await events()).toEqual([[first.code, 'major', false]]);

  const { code, unit, hasRule, isBuiltIn, ...content } = first;
  await ask('PUT', `${EVENT_TYPES_PATH}/${code}`, { ...content, enabled: false });
  const second = await ask<EventTypeRecord>('POST', EVENT_TYPES_PATH, {
    ...anyEventType({ nameEn: 'Ramp down while driving', severity: 'critical' }),
  });
  await report(terminal, position(2, 4));
  expect(await events()).toEqual([
    [first.code, 'major', true],
    [second.code, 'critical', false],
  ]);
  await report(terminal, position(3, 0));
  expect(await events()).toContainEqual([second.code, 'critical', true]);
});

it('begins with the built-in types and reasons', async () => {
  const gateway = await openGateway();
  const ask = await signIn(gateway);
  const reasons = await ask<readonly { readonly code: string }[]>('GET', EVENT_REASONS_PATH);
  expect(reasons.map(({ code }) => code)).toEqual(BUILT_IN_REASON_CODES);
  const types = await ask<readonly EventTypeRecord[]>('GET', EVENT_TYPES_PATH);
  expect(types.every(({ isBuiltIn }) => isBuiltIn)).toBe(true);
  expect(types.length).toBeGreaterThan(50);
});
