// Decides the result of an image that a terminal has completely, by the terminal's reports and its version once it is back. Pure.
import type { FirmwareFault, FirmwarePart } from '../../../shared/protocol/firmware/firmwareWords.ts';
import type { DeviceSituation } from './conditions.ts';
import { fitsPattern } from './patterns.ts';
import { compareVersions } from './versions.ts';

const MINUTE_MS = 60_000;
/** Time for a connected terminal to report the new version. */
export const VERSION_WITHIN_MS = 15 * MINUTE_MS;
/** Time for a terminal to sign in again, from when it had all of the image. */
export const BACK_WITHIN_MS = 60 * MINUTE_MS;

/** Time after which a terminal is asked for its version again: one that has just booted may not have answered in time. */
export const ASK_AGAIN_MS = MINUTE_MS;

export type VerifiedState = 'sent' | 'rebooting' | 'verifying';

export interface Verified {
  readonly state: VerifiedState;
  /** Time at which the state ends by itself. */
  readonly deadlineMs: number;
  readonly versionBefore: string;
  readonly model: string;
}

export interface VerifiedImage {
  readonly part: FirmwarePart;
  readonly firmwareVersion: string;
  readonly models: readonly string[];
}

export type Sign =
  | { readonly kind: 'online' }
  | { readonly kind: 'offline' }
  /** 0x0108: 0 done, 1 failed, 2 canceled. */
  | { readonly kind: 'result'; readonly result: number }
  /** 0x0107. */
  | { readonly kind: 'attributes'; readonly model: string; readonly firmwareVersion: string }
  | { readonly kind: 'time'; readonly isOnline: boolean };

export type Verdict =
  | { readonly kind: 'stay' }
  | { readonly kind: 'reported' }
  | { readonly kind: 'move'; readonly state: VerifiedState; readonly deadlineMs: number }
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly fault: FirmwareFault };

/**
 * Signs that follow from the device's present state. Terminals come back while the gateway is still starting: reports at that time
 * were missed.
 */
export function missedSigns(
  { state }: Pick<Verified, 'state'>,
  { part, firmwareVersion }: Pick<VerifiedImage, 'part' | 'firmwareVersion'>,
  { isOnline, reported }: Pick<DeviceSituation, 'isOnline' | 'reported'>,
): readonly Sign[] {
  if (!isOnline) return [];
  const isInstalled =
    part === 'terminal' && reported !== undefined && compareVersions(reported.firmwareVersion, firmwareVersion) === 0;
  const online: readonly Sign[] =
    state === 'rebooting' || (isInstalled && state === 'sent') ? [{ kind: 'online' }] : [];
  if (!isInstalled) return online;
  // Copied field by field: `reported` is a whole answer of the terminal, with a kind of its own.
  const { model, firmwareVersion: version } = reported;
  return [...online, { kind: 'attributes', model, firmwareVersion: version }];
}

const STAY: Verdict = { kind: 'stay' };

export function verdictOf(device: Verified, image: VerifiedImage, sign: Sign, nowMs: number): Verdict {
  switch (sign.kind) {
    case 'offline':
      return afterOffline(device);
    case 'online':
      return afterOnline(device, nowMs);
    case 'result':
      return afterResult(image, sign.result);
    case 'attributes':
      return device.state === 'verifying' ? afterAttributes(device, image, sign) : STAY;
    case 'time':
      return nowMs < device.deadlineMs ? STAY : { kind: 'failed', fault: overdue(device, image, sign.isOnline) };
  }
}

/** `askedAtMs`: when it was last asked. For its other parts a terminal reports no version. */
export function isAskedAgain(
  { state }: Pick<Verified, 'state'>,
  { part }: Pick<VerifiedImage, 'part'>,
  askedAtMs: number,
  nowMs: number,
): boolean {
  return state === 'verifying' && part === 'terminal' && nowMs - askedAtMs >= ASK_AGAIN_MS;
}

/** A terminal that came back may restart again, as long as it is connected with its version before the end of the same minutes. */
function afterOffline({ state, deadlineMs }: Verified): Verdict {
  if (state !== 'sent') return STAY;
  return { kind: 'move', state: 'rebooting', deadlineMs: deadlineMs + BACK_WITHIN_MS - VERSION_WITHIN_MS };
}

function afterOnline({ state }: Verified, nowMs: number): Verdict {
  if (state === 'verifying') return STAY;
  return { kind: 'move', state: 'verifying', deadlineMs: nowMs + VERSION_WITHIN_MS };
}

/** Success with the terminal's own firmware shows in its version; with other parts, only in this result. */
function afterResult({ part }: VerifiedImage, result: number): Verdict {
  if (result === 0) return { kind: part === 'terminal' ? 'reported' : 'done' };
  return { kind: 'failed', fault: result === 2 ? 'terminal-canceled' : 'terminal-failed' };
}

function afterAttributes(
  device: Verified,
  image: VerifiedImage,
  { model, firmwareVersion }: Extract<Sign, { kind: 'attributes' }>,
): Verdict {
  const isSameModel = model === device.model || (device.model === '' && fitsAny(image.models, model));
  if (!isSameModel) return { kind: 'failed', fault: 'model-mismatch' };
  if (image.part !== 'terminal' || firmwareVersion.trim() === '') return STAY;
  if (compareVersions(firmwareVersion, image.firmwareVersion) === 0) return { kind: 'done' };
  const isOlder = device.versionBefore !== '' && compareVersions(firmwareVersion, device.versionBefore) < 0;
  return isOlder ? { kind: 'failed', fault: 'older-version' } : STAY;
}

function fitsAny(patterns: readonly string[], model: string): boolean {
  return patterns.some((pattern) => fitsPattern(pattern, model));
}

function overdue({ state }: Verified, { part }: VerifiedImage, isOnline: boolean): FirmwareFault {
  if (state === 'rebooting' || !isOnline) return 'not-back';
  return part === 'terminal' ? 'same-version' : 'no-answer';
}
