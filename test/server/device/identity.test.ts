// Who may take a terminal's number, and what becomes of the one that has it.
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { RegistrationResult } from '../../../server/device/jt808/codec/codes.ts';
import { waitFor } from '../../support/waitFor.ts';
import { RawTerminal, type RawTerminalOptions } from './rawTerminal.ts';
import { PROFILE, startTestGateway, type TestGateway } from './testGateway.ts';

/** Shortens the wait for the answer of a terminal that is asked whether it is there, and nothing else. */
function quickly(delayMs: number, run: () => void): () => void {
  const timer = setTimeout(run, delayMs === 8_000 ? 400 : delayMs);
  return () => clearTimeout(timer);
}

/** The gateway's clock, ahead of the machine's. */
let aheadMs = 0;
beforeEach(() => {
  aheadMs = 0;
});

async function start(timers?: typeof quickly): Promise<TestGateway> {
  const test = await startTestGateway(timers, { now: () => Date.now() + aheadMs });
  onTestFinished(() => test.close());
  await test.addDevice();
  return test;
}

const dial = (test: TestGateway, options: Omit<RawTerminalOptions, 'port'> = {}) =>
  RawTerminal.dial({ port: test.gateway.jt808Port, ...options });
const sessionAddress = (test: TestGateway) => test.gateway.registry.session(PROFILE.deviceId)?.remoteAddress;
const audited = async (test: TestGateway) =>
  (await test.stores.audit.list({ limit: 50 })).map(({ action, target, address }) => [action, target, address]);

describe('the code of a terminal', () => {
  it('stays valid until the next one is used, whoever registers meanwhile', async () => {
    const test = await start();
    const first = await dial(test);
    const code = await first.signIn();
    first.socket.destroy();
    await waitFor('it is away', () => sessionAddress(test) === undefined);

    const foreign = await dial(test, { from: '127.0.0.2' });
    expect(await foreign.register()).toMatchObject({ result: RegistrationResult.Ok });
    const again = await dial(test);
    expect(await again.authenticate(code)).toBe(true);
    expect(sessionAddress(test)).toBe('127.0.0.1');
  });

  it('ends with the first use of the next one', async () => {
    const test = await start();
    const terminal = await dial(test);
    const old = await terminal.signIn();
    const { code = '' } = await terminal.register();
    expect(await terminal.authenticate(code)).toBe(true);
    expect(await terminal.authenticate(old)).toBe(false);
    expect(await terminal.authenticate(code)).toBe(true);
  });

  it('that was never used ends when the old one is used again', async () => {
    const test = await start();
    const terminal = await dial(test);
    const old = await terminal.signIn();
    const { code = '' } = await terminal.register();
    expect(await terminal.authenticate(old)).toBe(true);
    expect(await terminal.authenticate(code)).toBe(false);
  });

  it('is proof from any address, and replaces the session', async () => {
    const test = await start();
    const first = await dial(test);
    const code = await first.signIn();
    const second = await dial(test, { from: '127.0.0.2' });
    expect(await second.authenticate(code)).toBe(true);
    expect(sessionAddress(test)).toBe('127.0.0.2');
    await waitFor('the older session is cut', () => first.socket.destroyed);
  });
});

describe('a number that is online from another address', () => {
  it('waits for approval, and the live session stays', async () => {
    const test = await start();
    const terminal = await dial(test);
    await terminal.signIn();
    const other = await dial(test, { from: '127.0.0.2' });
    expect(await other.register()).toMatchObject({ result: RegistrationResult.TerminalRegistered });
    expect(sessionAddress(test)).toBe('127.0.0.1');
    expect(terminal.socket.destroyed).toBe(false);
    expect(await test.stores.unknownTerminals.find(PROFILE.number)).toMatchObject({
      deviceId: PROFILE.deviceId,
      address: '127.0.0.2',
    });
    expect(await audited(test)).toContainEqual(['terminal.elsewhere', PROFILE.deviceId, '127.0.0.2']);
  });

  it('is taken over by a terminal whose old session no longer answers, and waits no more', async () => {
    const test = await start(quickly);
    const gone = await dial(test);
    await gone.signIn();
    const back = await dial(test, { from: '127.0.0.2' });
    expect(await back.register()).toMatchObject({ result: RegistrationResult.TerminalRegistered });
    expect(await test.stores.unknownTerminals.find(PROFILE.number)).toBeDefined();
    aheadMs += 60_000;
    await back.signIn();
    expect(gone.heard.map(({ kind }) => kind)).toContain('queryPosition');
    expect(sessionAddress(test)).toBe('127.0.0.2');
    expect(await test.stores.unknownTerminals.find(PROFILE.number)).toBeUndefined();
  });

  it('stays with a terminal that has long been silent and answers when it is asked', async () => {
    const test = await start();
    const quiet = await dial(test);
    await quiet.signIn();
    aheadMs += 60_000;
    const other = await dial(test, { from: '127.0.0.2' });
    const answered = other.register();
    await waitFor('it is asked', () => quiet.heard.some(({ kind }) => kind === 'queryPosition'));
    quiet.say({ kind: 'heartbeat' });
    expect(await answered).toMatchObject({ result: RegistrationResult.TerminalRegistered });
    expect(sessionAddress(test)).toBe('127.0.0.1');
  });

  it('is given to the address that was approved, and to no other meanwhile', async () => {
    const test = await start();
    const terminal = await dial(test);
    await terminal.signIn();
    await test.stores.devices.update(PROFILE.deviceId, {
      authCodeHash: undefined,
      approval: { address: '127.0.0.2', untilMs: Date.now() + 60_000 },
    });
    test.gateway.registry.session(PROFILE.deviceId)?.close();
    await waitFor('it is away', () => sessionAddress(test) === undefined);
    const again = await dial(test);
    expect(await again.register()).toMatchObject({ result: RegistrationResult.TerminalRegistered });
    const approved = await dial(test, { from: '127.0.0.2' });
    await approved.signIn();
    expect(sessionAddress(test)).toBe('127.0.0.2');
    expect((await test.stores.devices.findByDeviceId(PROFILE.deviceId))?.approval).toBeUndefined();
  });
});

describe('another identity', () => {
  it('is audited once for an address, however often it comes', async () => {
    const test = await start();
    const terminal = await dial(test);
    await terminal.signIn();
    const stranger = await dial(test, { from: '127.0.0.2' });
    for (let turn = 0; turn < 4; turn++) {
      expect(await stranger.register({ terminalId: 'OTHER' })).toMatchObject({
        result: RegistrationResult.TerminalRegistered,
      });
    }
    const entries = await audited(test);
    expect(entries.filter(([action]) => action === 'terminal.mismatch')).toEqual([
      ['terminal.mismatch', PROFILE.deviceId, '127.0.0.2'],
    ]);
    expect(sessionAddress(test)).toBe('127.0.0.1');
  });
});
