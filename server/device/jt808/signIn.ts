// Whether a terminal may sign in. Knowing a terminal's number proves nothing, because the number is printed on its case.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Device } from '../../store/devices/devices.ts';
import type { AdoptedIdentity } from '../../store/devices/terminalIdentity.ts';
import { RegistrationResult } from './codec/codes.ts';

export type RegistrationDecision = RegistrationAcceptance | RegistrationRefusal;

/** Accepts the registration with a new authentication code. */
export interface RegistrationAcceptance {
  readonly kind: 'accept';
  readonly device: Device;
  /** Identity to require from now on, if none was known. */
  readonly adopt: AdoptedIdentity | undefined;
}

export interface RegistrationRefusal {
  readonly kind: 'refuse';
  readonly result: RegistrationResult;
  /** The number belongs to a device with another identity, so an administrator has to decide. */
  readonly isKnownNumber: boolean;
}

export function checkRegistration(device: Device | undefined, identity: AdoptedIdentity): RegistrationDecision {
  if (device === undefined) {
    return { kind: 'refuse', result: RegistrationResult.NoSuchTerminal, isKnownNumber: false };
  }
  if (device.disabled) return { kind: 'refuse', result: RegistrationResult.NoSuchVehicle, isKnownNumber: false };
  if (device.identity === undefined) return { kind: 'accept', device, adopt: identity };
  const isSame =
    device.identity.manufacturer === identity.manufacturer && device.identity.terminalId === identity.terminalId;
  if (isSame) return { kind: 'accept', device, adopt: undefined };
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

export type CodeMatch = 'current' | 'pending';

/** Which of the device's codes this is: the current one, or the one issued by a registration since. */
export function matchCode(device: Device, code: string): CodeMatch | undefined {
  const hash = Buffer.from(hashAuthCode(code), 'hex');
  const isSame = (known: string | undefined) => known !== undefined && timingSafeEqual(Buffer.from(known, 'hex'), hash);
  if (isSame(device.authCodeHash)) return 'current';
  return isSame(device.pendingCodeHash) ? 'pending' : undefined;
}
