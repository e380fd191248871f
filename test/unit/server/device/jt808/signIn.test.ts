import { describe, expect, it } from 'vitest';
import { RegistrationResult } from '../../../../../server/device/jt808/codec/codes.ts';
import {
  checkRegistration,
  createAuthCode,
  hashAuthCode,
  matchCode,
} from '../../../../../server/device/jt808/signIn.ts';
import { aDevice } from '../../../../support/aDevice.ts';

const IDENTITY = { manufacturer: 'ACME', terminalId: '0000001' };
const DEVICE = aDevice({ terminal: { canonical: '138', raw: '000000000138' }, identity: IDENTITY });

describe('checkRegistration', () => {
  it('accepts the identity that the device was adopted with', () => {
    expect(checkRegistration(DEVICE, { ...IDENTITY })).toEqual({ kind: 'accept', device: DEVICE, adopt: undefined });
  });

  it('adopts the first identity of a device that was added by hand', () => {
    const decision = checkRegistration({ ...DEVICE, identity: undefined }, IDENTITY);
    expect(decision).toMatchObject({ kind: 'accept', adopt: IDENTITY });
  });

  it.each([
    ['an unknown terminal', undefined, IDENTITY, RegistrationResult.NoSuchTerminal, false],
    ['a disabled device', { ...DEVICE, disabled: true }, IDENTITY, RegistrationResult.NoSuchVehicle, false],
    ['another manufacturer', DEVICE, { ...IDENTITY, manufacturer: 'X' }, RegistrationResult.TerminalRegistered, true],
    ['another terminal id', DEVICE, { ...IDENTITY, terminalId: 'X' }, RegistrationResult.TerminalRegistered, true],
  ])('refuses %s', (_what, device, identity, result, isKnownNumber) => {
    expect(checkRegistration(device, identity)).toEqual({ kind: 'refuse', result, isKnownNumber });
  });
});

describe('authentication codes', () => {
  it('are short ASCII and never the same', () => {
    expect(createAuthCode()).toMatch(/^[0-9a-f]{16}$/);
    expect(createAuthCode()).not.toBe(createAuthCode());
  });

  it('open only the device that they were made for', () => {
    const device = { ...DEVICE, authCodeHash: hashAuthCode('secret'), pendingCodeHash: hashAuthCode('next') };
    expect(matchCode(device, 'secret')).toBe('current');
    expect(matchCode(device, 'next')).toBe('pending');
    expect(matchCode(device, 'Secret')).toBeUndefined();
    expect(matchCode(DEVICE, '')).toBeUndefined();
  });
});
