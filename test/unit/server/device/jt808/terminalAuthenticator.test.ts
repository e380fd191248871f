import { beforeEach, describe, expect, it } from 'vitest';
import type { Caller } from '../../../../../server/device/jt808/addressGate.ts';
import { RegistrationResult } from '../../../../../server/device/jt808/codec/codes.ts';
import { type Header, terminalNumber } from '../../../../../server/device/jt808/codec/header.ts';
import type { Registration } from '../../../../../server/device/jt808/codec/messages/registration.ts';
import {
  createTerminalAuthenticator,
  type TerminalAuthenticator,
} from '../../../../../server/device/jt808/terminalAuthenticator.ts';
import type { Device, DeviceChange } from '../../../../../server/store/devices/devices.ts';
import { ManualTimers } from '../../../../support/fakes/manualTimers.ts';
import { noFaults } from '../../../../support/fakes/noFaults.ts';
import { REGISTRATION, settled } from './fakeTerminal.ts';

const IDENTITY = { manufacturer: REGISTRATION.manufacturer, terminalId: REGISTRATION.terminalId };
const LOOKUP_MS = 5;

describe('registrations', () => {
  let timers: ManualTimers;
  let devices: Map<string, Partial<Device>>;
  let lookups: number;
  let audited: string[];
  let authenticator: TerminalAuthenticator;

  beforeEach(() => {
    timers = new ManualTimers();
    devices = new Map();
    lookups = 0;
    audited = [];
    authenticator = createTerminalAuthenticator({
      stores: {
        devices: {
          // One after another, as a database does.
          findByTerminal: async (number) => {
            lookups++;
            await slept(LOOKUP_MS * (1 + (lookups % 20)));
            return devices.get(number) as Device | undefined;
          },
          update: async (deviceId: string, change: DeviceChange) => {
            const device = devices.get(deviceId);
            devices.set(deviceId, { ...device, ...change } as Partial<Device>);
            return true;
          },
        },
        unknownTerminals: { note: async () => undefined, remove: async () => undefined },
        audit: {
          add: async ({ action }) => {
            audited.push(action);
          },
        },
      },
      registry: { session: () => undefined },
      now: timers.now,
      runAfter: timers.runAfter,
      onLimit: () => undefined,
      onFault: noFaults,
    });
  });

  const slept = (delayMs: number) => new Promise<void>((resolve) => timers.runAfter(delayMs, resolve));
  const add = (number: string, device: Partial<Device> = {}): void => {
    devices.set(number, { deviceId: number, disabled: false, ...device });
  };

  interface Attempt {
    readonly number: string;
    readonly address?: string;
    readonly identity?: Partial<Registration>;
  }
  /** Undefined as long as it is not answered; null when it is cut. */
  const register = ({ number, address = '192.0.2.1', identity = {} }: Attempt) => {
    const answer: { result?: RegistrationResult | null; atMs?: number } = {};
    const caller: Caller = {
      remoteAddress: address,
      sleep: async (delayMs, earlier) => {
        await Promise.race([slept(delayMs), ...(earlier === undefined ? [] : [earlier])]);
        return true;
      },
    };
    const terminal = terminalNumber(number, '2019');
    const header = { messageId: 0x0100, edition: '2019', protocolVersion: 1, encryption: 0, terminal } as const;
    const requests = authenticator.register({ ...header, serial: 0, bodyLength: 0 } as Header, body(identity), caller);
    void requests.then((reply) => Object.assign(answer, { result: reply?.result ?? null, atMs: timers.now() }));
    return answer;
  };
  const body = (identity: Partial<Registration>) => ({ ...REGISTRATION, ...identity }) as Registration;
  const pass = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += LOOKUP_MS) {
      timers.advance(LOOKUP_MS);
      await settled();
    }
  };

  it('of an address beyond its limit are not looked up, and adopt no device that has no identity', async () => {
    add('999');
    for (let number = 0; number < 300; number++) register({ number: `1${number}` });
    const hit = register({ number: '999' });
    await pass(500);
    expect(lookups).toBeLessThan(210);
    expect(hit.result).toBeUndefined();
    expect(devices.get('999')?.identity).toBeUndefined();
    const elsewhere = register({ number: '999', address: '192.0.2.2' });
    await pass(200);
    expect(elsewhere.result).toBe(RegistrationResult.Ok);
  });

  it('that waited half a minute for their address are cut, and five a second are judged', async () => {
    const answers = Array.from({ length: 600 }, (_, number) => register({ number: `1${number}` }));
    await pass(31_000);
    expect(answers.filter(({ result }) => result === null).length).toBeGreaterThan(200);
    expect(lookups).toBeGreaterThan(340);
    expect(lookups).toBeLessThan(365);
  });

  it('of a depot of 300 terminals behind one address are all let in within two seconds', async () => {
    for (let number = 0; number < 300; number++) add(`1${number}`, { identity: IDENTITY });
    const answers = Array.from({ length: 300 }, (_, number) => register({ number: `1${number}` }));
    await pass(2_000);
    expect(answers.every(({ result }) => result === RegistrationResult.Ok)).toBe(true);
  });

  it('of a thousand terminals are let in within seconds, though some of their neighbours are unknown', async () => {
    for (let number = 0; number < 1_000; number++) add(`1${number}`, { identity: IDENTITY });
    for (let number = 0; number < 100; number++) register({ number: `2${number}` });
    const answers = Array.from({ length: 1_000 }, (_, number) => register({ number: `1${number}` }));
    await pass(5_000);
    expect(answers.every(({ result }) => result === RegistrationResult.Ok)).toBe(true);
  });

  it('of a terminal that was let in at its address before pass a flood of others', async () => {
    add('999', { identity: IDENTITY });
    register({ number: '999' });
    await pass(200);
    for (let number = 0; number < 300; number++) register({ number: `1${number}` });
    const again = register({ number: '999' });
    await pass(200);
    expect(again.result).toBe(RegistrationResult.Ok);
  });

  it('that come again after a refusal are answered five seconds later', async () => {
    const first = register({ number: '17' });
    await pass(200);
    expect(first.result).toBe(RegistrationResult.NoSuchTerminal);
    for (let number = 0; number < 300; number++) register({ number: `1${number}` });
    const again = register({ number: '17' });
    await pass(4_900);
    expect(again.result).toBeUndefined();
    await pass(400);
    expect(again.result).toBe(RegistrationResult.NoSuchTerminal);
  });

  it('with wrong identities from 250 addresses are slowed; the terminal itself is judged within half a minute', async () => {
    add('138', { identity: IDENTITY });
    const guesses = Array.from({ length: 250 }, (_, stranger) =>
      register({ number: '138', address: `198.51.100.${stranger}`, identity: { terminalId: `G${stranger}` } }),
    );
    await pass(500);
    expect(guesses.filter(({ result }) => result !== undefined)).toHaveLength(5);
    const terminal = register({ number: '138' });
    await pass(31_000);
    expect(terminal.result).toBe(RegistrationResult.Ok);
  });

  it('that get a new code at another address than the last sign-in are audited', async () => {
    add('1', { identity: IDENTITY, signInAddress: '192.0.2.1' });
    add('2', { identity: IDENTITY });
    add('3', { signInAddress: '192.0.2.9' });
    for (const number of ['1', '2', '3']) register({ number });
    await pass(200);
    expect(audited).toEqual([]);
    register({ number: '1', address: '192.0.2.2' });
    await pass(200);
    expect(audited).toEqual(['terminal.moved']);
  });
});
