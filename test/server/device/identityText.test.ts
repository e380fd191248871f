// What a terminal calls itself may hold what one of the engines cannot store.
import { expect, it, onTestFinished } from 'vitest';
import { RegistrationResult } from '../../../server/device/jt808/codec/codes.ts';
import { terminalNumber } from '../../../server/device/jt808/codec/header.ts';
import { createTerminalAuthenticator } from '../../../server/device/jt808/terminalAuthenticator.ts';
import { DeviceRegistry } from '../../../server/device/registry.ts';
import { createStores } from '../../../server/store/stores.ts';
import { noFaults } from '../../support/fakes/noFaults.ts';
import { REGISTRATION } from '../../unit/server/device/jt808/fakeTerminal.ts';
import { describeOnBothEngines, openTestDatabase } from '../store/testDatabase.ts';

const NUMBER = terminalNumber('13800000001', '2019');
const ODD = { ...REGISTRATION, manufacturer: 'A\u0000B', terminalId: '00\u000001' };

describeOnBothEngines('a terminal with a zero in its identity', (engine) => {
  const open = async () => {
    const database = await openTestDatabase(engine);
    onTestFinished(() => database.close());
    const stores = createStores(database.db);
    const authenticator = createTerminalAuthenticator({
      stores,
      registry: new DeviceRegistry(Date.now),
      now: Date.now,
      runAfter: () => () => undefined,
      onLimit: () => undefined,
      onFault: noFaults,
    });
    const device = { deviceId: 'BUS1', name: 'Bus 1', chn: 1, terminal: NUMBER };
    const header = { messageId: 0x0100, edition: '2019', protocolVersion: 1, encryption: 0, serial: 0 } as const;
    const caller = { remoteAddress: '192.0.2.1', sleep: async () => true };
    const register = () => authenticator.register({ ...header, bodyLength: 0, terminal: NUMBER }, ODD, caller);
    return { stores, device, register };
  };

  it('registers with a device that has no identity yet, and again', async () => {
    const { stores, device, register } = await open();
    await stores.devices.insert(device);
    expect(await register()).toMatchObject({ result: RegistrationResult.Ok });
    expect(await register()).toMatchObject({ result: RegistrationResult.Ok });
  });

  it('registers once it was adopted from the list of those that wait', async () => {
    const { stores, device, register } = await open();
    expect(await register()).toMatchObject({ result: RegistrationResult.NoSuchTerminal });
    const waiting = await stores.unknownTerminals.find(NUMBER.canonical);
    if (waiting === undefined) throw new Error('not listed');
    const { manufacturer, terminalId } = waiting;
    await stores.devices.insert({ ...device, identity: { manufacturer, terminalId } });
    expect(await register()).toMatchObject({ result: RegistrationResult.Ok });
  });
});
