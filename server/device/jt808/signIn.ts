// Whether a terminal may sign in. Knowing a terminal's number is no proof: the number stands on the case.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { AdoptedIdentity, Device } from '../../store/devices.ts';
import { RegistrationResult } from './codec/codes.ts';

export type RegistrationVerdict =
  /** A fresh code goes out; `adopt` is the identity to hold the terminal to from now on, where none was known. */
  | { readonly kind: 'welcome'; readonly adopt: AdoptedIdentity | undefined }
  /** `isKnownNumber`: the number is a device's and the identity is not, so an administrator has to decide. */
  | { readonly kind: 'refuse'; readonly result: RegistrationResult; readonly isKnownNumber: boolean };

export function judgeRegistration(device: Device | undefined, identity: AdoptedIdentity): RegistrationVerdict {
  if (device === undefined) {
    return { kind: 'refuse', result: RegistrationResult.NoSuchTerminal, isKnownNumber: false };
  }
  if (device.disabled) return { kind: 'refuse', result: RegistrationResult.NoSuchVehicle, isKnownNumber: false };
  if (device.identity === undefined) return { kind: 'welcome', adopt: identity };
  const isSame =
    device.identity.manufacturer === identity.manufacturer && device.identity.terminalId === identity.terminalId;
  if (isSame) return { kind: 'welcome', adopt: undefined };
  return { kind: 'refuse', result: RegistrationResult.TerminalRegistered, isKnownNumber: true };
}

const CODE_BYTES = 8;

/** Short and ASCII: some terminals keep only a few characters. 64 random bits are far beyond trying out over a socket. */
export function createAuthCode(): string {
  return randomBytes(CODE_BYTES).toString('hex');
}

export function hashAuthCode(code: string): string {
  return createHash('sha256').update(code).digest('hex');
}

export function isRightCode(device: Device, code: string): boolean {
  if (device.authCodeHash === undefined) return false;
  return timingSafeEqual(Buffer.from(device.authCodeHash, 'hex'), Buffer.from(hashAuthCode(code), 'hex'));
}
