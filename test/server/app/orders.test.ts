// Commands for terminals by way of the whole gateway: calls, database, a terminal over TCP, and restarts in between.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Gateway, startGateway } from '../../../server/app/gateway.ts';
import { readConfig } from '../../../server/config/readConfig.ts';
import { createLog } from '../../../server/process/log.ts';
import { DEVICE_ORDERS_PATH, DEVICE_TEXT_PATH } from '../../../shared/protocol/api/deviceOrders.ts';
import { BLANK_DEVICE, DEVICES_PATH, type DeviceDetail } from '../../../shared/protocol/api/devices.ts';
import { ALL_PERMISSIONS } from '../../../shared/protocol/permissions.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { prepareDataDir } from '../../support/databases/sqliteFile.ts';
import { cheapHash } from '../../support/fakes/cheapHash.ts';
import { FREE_PORTS } from '../../support/gateway/freePorts.ts';
import { createTempFolder, type TempFolder } from '../../support/tempFolder.ts';
import { waitFor } from '../../support/waitFor.ts';
import { RawTerminal } from '../device/rawTerminal.ts';
import { PROFILE } from '../device/testGateway.ts';

const PASSWORD = 'correct horse battery';

describe('a command', () => {
  let folder: TempFolder;
  let gateway: Gateway;
  let cookie: string;
  /** Kept by the terminal. */
  let code: string | undefined;

  beforeEach(async () => {
    code = undefined;
    folder = await createTempFolder();
    await start();
    const { stores } = gateway;
    const deviceGroup = await stores.deviceGroups.insert('Buses');
    const memberGroup = await stores.memberGroups.insert({ name: 'North' });
    await stores.memberGroups.setDeviceGroups(memberGroup, [deviceGroup]);
    const terminal = { canonical: PROFILE.number, raw: PROFILE.number.padStart(20, '0') };
    await stores.devices.insert({ deviceId: 'BUS1', name: 'Bus 1', chn: 1, talkchs: '1', terminal, deviceGroup });
    const user = { username: 'ann', passwordHash: await cheapHash(PASSWORD), permissions: ALL_PERMISSIONS };
    const ann = await stores.users.insert(user, wallMs(Date.now()));
    await stores.memberGroups.setGroupsOfUser(ann, [memberGroup]);
    const answer = await call('POST', '/api/user/login', { username: 'ann', password: PASSWORD });
    cookie = answer.headers
      .getSetCookie()
      .map((each) => each.split(';')[0])
      .join('; ');
  });
  afterEach(async () => {
    await gateway.close();
    await folder.remove();
  });

  async function start(): Promise<void> {
    const read = readConfig({ ...FREE_PORTS, DATA_DIR: folder.path });
    if (!read.ok) throw new Error(read.problems.join('\n'));
    await prepareDataDir(folder.path);
    gateway = await startGateway(read.config, { log: createLog('silent') });
  }
  async function restart(): Promise<void> {
    await gateway.close();
    await start();
  }
  const call = (method: string, path: string, body?: object) =>
    fetch(gateway.address + path, {
      method,
      headers: {
        origin: gateway.address,
        cookie: cookie ?? '',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  async function send(text: string): Promise<void> {
    const answer = await call('POST', DEVICE_TEXT_PATH, { deviceid: 'BUS1', text, speech: false, urgent: true });
    expect(answer.status, await answer.text()).toBe(200);
  }
  async function statesOf(): Promise<string[]> {
    const answer = await call('GET', `${DEVICE_ORDERS_PATH}?deviceid=BUS1`);
    const { data } = (await answer.json()) as { data: { rows: { text: string; state: string }[] } };
    return data.rows.map(({ text, state }) => `${text} ${state}`).reverse();
  }
  async function signedIn(): Promise<RawTerminal> {
    const terminal = await RawTerminal.dial({ port: gateway.jt808Port });
    if (code === undefined) code = await terminal.signIn();
    else expect(await terminal.authenticate(code)).toBe(true);
    return terminal;
  }
  const heard = async (terminal: RawTerminal) => {
    const [text] = await waitFor(
      'the text',
      () => terminal.texts(),
      (texts) => texts.length > 0,
    );
    if (text === undefined) throw new Error('no text');
    return text;
  };

  it('that waits when the gateway stops goes out after the next start, once', async () => {
    await send('a');
    await restart();
    expect(await statesOf()).toEqual(['a waiting']);
    const terminal = await signedIn();
    const text = await heard(terminal);
    expect(text.body).toMatchObject({ text: 'a' });
    terminal.reply(text);
    await waitFor('it is done', async () => (await statesOf())[0] === 'a done');
    await restart();
    const again = await signedIn();
    await send('b');
    expect((await heard(again)).body).toMatchObject({ text: 'b' });
  });

  it('that is on its way when the gateway stops is unknown, and does not go out again', async () => {
    const terminal = await signedIn();
    await send('a');
    await heard(terminal);
    await restart();
    expect(await statesOf()).toEqual(['a unknown']);
    const again = await signedIn();
    await send('b');
    const text = await heard(again);
    expect(text.body).toMatchObject({ text: 'b' });
    again.reply(text);
    await waitFor('it is done', async () => (await statesOf())[1] === 'b done');
    const failed = (await gateway.stores.audit.list({ limit: 99 })).filter(
      ({ action }) => action === 'device.commandfailed',
    );
    expect(failed).toMatchObject([{ actor: 'ann', target: 'BUS1', detail: { state: 'unknown' } }]);
  });

  it('that waits for a device ends when the device gets another terminal, and goes with the device', async () => {
    await send('a');
    const address = `${DEVICES_PATH}/BUS1`;
    const { data } = (await (await call('GET', address)).json()) as { data: DeviceDetail };
    const { version, group } = data;
    const fields = { ...BLANK_DEVICE, name: 'Bus 1', group, terminal: '13800000099' };
    const changed = await call('PUT', address, { ...fields, version });
    expect(changed.status, await changed.text()).toBe(200);
    await waitFor('it has expired', async () => (await statesOf())[0] === 'a expired');
    await call('DELETE', `${address}?version=${version + 1}&recordings=keep`);
    expect(await statesOf()).toEqual([]);
  });
});
