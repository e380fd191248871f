// A gateway as it is started, with what tests of the whole need to begin.
import { expect, onTestFinished } from 'vitest';
import { type Gateway, startGateway } from '../../../server/app/gateway.ts';
import { readConfig } from '../../../server/config/readConfig.ts';
import { createLog } from '../../../server/process/log.ts';
import { ALL_PERMISSIONS } from '../../../shared/protocol/permissions.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { prepareDataDir } from '../../support/databases/sqliteFile.ts';
import { cheapHash } from '../../support/fakes/cheapHash.ts';
import { FREE_PORTS } from '../../support/gateway/freePorts.ts';
import { createTempFolder } from '../../support/tempFolder.ts';
import { PROFILE } from '../device/testGateway.ts';

const PASSWORD = 'correct horse battery';

/** A gateway with a device and an administrator of its member group. */
export async function openGateway(): Promise<Gateway> {
  const folder = await createTempFolder();
  onTestFinished(() => folder.remove());
  const read = readConfig({ ...FREE_PORTS, DATA_DIR: folder.path });
  if (!read.ok) throw new Error(read.problems.join('\n'));
  await prepareDataDir(folder.path);
  const gateway = await startGateway(read.config, { log: createLog('silent') });
  onTestFinished(() => gateway.close());
  const deviceGroup = await gateway.stores.deviceGroups.insert('Buses');
  const terminal = { canonical: PROFILE.number, raw: PROFILE.number.padStart(20, '0') };
  await gateway.stores.devices.insert({ deviceId: 'BUS1', name: 'Bus 1', chn: 1, terminal, deviceGroup });
  const user = { username: 'ann', passwordHash: await cheapHash(PASSWORD), permissions: ALL_PERMISSIONS };
  const ann = await gateway.stores.users.insert(user, wallMs(Date.now()));
  const memberGroup = await gateway.stores.memberGroups.insert({ name: 'Depot' });
  await gateway.stores.memberGroups.setDeviceGroups(memberGroup, [deviceGroup]);
  await gateway.stores.memberGroups.setGroupsOfUser(ann, [memberGroup]);
  return gateway;
}

/** Gives what asks in the administrator's name, and expects success. */
export async function signIn({ address }: Gateway) {
  const call = async (method: string, path: string, body?: object, cookie = ''): Promise<Response> => {
    const headers = { origin: address, cookie };
    if (body === undefined) return fetch(address + path, { method, headers });
    const typed = { ...headers, 'content-type': 'application/json' };
    return fetch(address + path, { method, headers: typed, body: JSON.stringify(body) });
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
