// Lets terminals in, or lists them for an administrator.
import { wallMs } from '../../../shared/protocol/time.ts';
import { addressKey } from '../../limits/addressKey.ts';
import type { Limit, OnLimit } from '../../limits/limit.ts';
import { RecentMap } from '../../limits/recentMap.ts';
import { TokenBucket } from '../../limits/tokenBucket.ts';
import type { AuditStore } from '../../store/audit.ts';
import type { Device, DeviceChange, DeviceStore } from '../../store/devices.ts';
import type { UnknownTerminalStore } from '../../store/unknownTerminals.ts';
import type { DeviceRegistry } from '../registry.ts';
import { RegistrationResult } from './codec/codes.ts';
import type { Header } from './codec/header.ts';
import type { Authentication } from './codec/messages/authentication.ts';
import type { Registration } from './codec/messages/registration.ts';
import { IdentityThrottle } from './identityThrottle.ts';
import { type CodeMatch, checkRegistration, createAuthCode, hashAuthCode, matchCode } from './signIn.ts';
import { type RegistrationAction, TerminalAudit } from './terminalAudit.ts';

export type SignedInDevice = Pick<Device, 'deviceId' | 'incarnation' | 'anyMediaAddress' | 'channelsFromZero' | 'chn'>;

export interface RegistrationReplyFields {
  readonly result: RegistrationResult;
  /** Present with result 0 alone. */
  readonly code?: string;
}

/** The connection over which a terminal asks to be let in. */
export interface Caller {
  readonly remoteAddress: string;
  /** False when the connection has ended meanwhile. */
  sleep(delayMs: number): Promise<boolean>;
}

export interface TerminalAuthenticator {
  /** Undefined for what is not judged, since too many guesses of its address wait already: the connection is to end. */
  register(header: Header, body: Registration, caller: Caller): Promise<RegistrationReplyFields | undefined>;
  /** The device behind a right code; undefined for everything else. */
  authenticate(header: Header, body: Authentication, caller: Caller): Promise<SignedInDevice | undefined>;
}

export interface SignInStores {
  readonly devices: Pick<DeviceStore, 'findByTerminal' | 'update'>;
  readonly unknownTerminals: Pick<UnknownTerminalStore, 'note' | 'remove'>;
  readonly audit: Pick<AuditStore, 'add'>;
}

export interface AuthenticatorDeps {
  readonly stores: SignInStores;
  readonly registry: Pick<DeviceRegistry, 'session'>;
  readonly now: () => number;
  readonly onLimit: OnLimit;
}

/** Refused registrations of one address that are answered and listed at once; then so many a second. */
export const REFUSED_REGISTRATIONS_LIMIT: Limit = { name: 'terminals.refused.address', max: 200 };
const REFUSED_PER_SECOND = 5;
const CROWDED_WAIT_MS = 5_000;
const MAX_REMEMBERED_ADDRESSES = 10_000;
const MAX_REMEMBERED_LISTED = 1_000;

export function createTerminalAuthenticator(deps: AuthenticatorDeps): TerminalAuthenticator {
  return new Authenticator(deps);
}

interface Attempt {
  readonly header: Header;
  readonly body: Registration;
  readonly caller: Caller;
  /** Address key. */
  readonly address: string;
}

class Authenticator implements TerminalAuthenticator {
  readonly #deps: AuthenticatorDeps;
  readonly #throttle: IdentityThrottle;
  readonly #audit: TerminalAudit;
  readonly #refusals = new RecentMap<TokenBucket>(MAX_REMEMBERED_ADDRESSES);
  /** Numbers that were listed since they were online from elsewhere: one that gets in later waits no more. */
  readonly #listed = new RecentMap<true>(MAX_REMEMBERED_LISTED);

  constructor(deps: AuthenticatorDeps) {
    this.#deps = deps;
    this.#throttle = new IdentityThrottle(deps.now, deps.onLimit);
    this.#audit = new TerminalAudit(deps.stores.audit, deps.onLimit);
  }

  async register(header: Header, body: Registration, caller: Caller): Promise<RegistrationReplyFields | undefined> {
    const attempt = { header, body, caller, address: addressKey(caller.remoteAddress) };
    const found = await this.#find(header);
    const waitMs = found?.identity === undefined ? 0 : this.#throttle.waitMs(claimOf(attempt, found));
    if (waitMs === undefined) return undefined;
    if (waitMs === 0) return this.#judge(attempt, found);
    return (await caller.sleep(waitMs)) ? this.#judge(attempt, await this.#find(header)) : undefined;
  }

  async authenticate(header: Header, body: Authentication, caller: Caller): Promise<SignedInDevice | undefined> {
    const device = await this.#find(header);
    const match = device === undefined || device.disabled ? undefined : matchCode(device, body.code);
    if (device === undefined || match === undefined) return undefined;
    const change = changeAtSignIn(device, header, { match, address: addressKey(caller.remoteAddress) });
    if (Object.keys(change).length > 0) await this.#deps.stores.devices.update(device.deviceId, change);
    return device;
  }

  /** Until something is waited for nothing may be: guesses that come together would all be judged by the same count. */
  async #judge(attempt: Attempt, device: Device | undefined): Promise<RegistrationReplyFields> {
    const decision = checkRegistration(device, identityOf(attempt));
    if (device === undefined || decision.kind === 'refuse') {
      const result = decision.kind === 'refuse' ? decision.result : RegistrationResult.NoSuchTerminal;
      if (device === undefined || decision.kind !== 'refuse' || !decision.isKnownNumber) {
        await this.#list(attempt);
        return { result };
      }
      this.#throttle.failed(claimOf(attempt, device));
      await this.#list(attempt, device);
      await this.#note('terminal.mismatch', attempt, device);
      return { result };
    }
    if (!(await this.#isElsewhere(device, attempt))) return this.#accept(attempt, device);
    this.#listed.set(device.deviceId, true);
    await this.#list(attempt, device);
    await this.#note('terminal.elsewhere', attempt, device);
    return { result: RegistrationResult.TerminalRegistered };
  }

  /** Whether the number belongs to another address for now: one that was approved, or the one it is online from. */
  async #isElsewhere({ deviceId, approval }: Device, attempt: Attempt): Promise<boolean> {
    const { address } = attempt;
    if (approval !== undefined && approval.untilMs > this.#deps.now()) return approval.address !== address;
    const session = this.#deps.registry.session(deviceId);
    if (session === undefined || addressKey(session.remoteAddress) === address) return false;
    if (await session.isAlive()) return true;
    // Asking took seconds, in which an administrator may have given the number to another identity.
    return checkRegistration(await this.#find(attempt.header), identityOf(attempt)).kind === 'refuse';
  }

  /** Registering changes nothing of the device but the code that waits for its first use. */
  async #accept(attempt: Attempt, device: Device): Promise<RegistrationReplyFields> {
    const { devices, unknownTerminals } = this.#deps.stores;
    const code = createAuthCode();
    const adopted = device.identity === undefined ? { identity: identityOf(attempt) } : {};
    await devices.update(device.deviceId, { pendingCodeHash: hashAuthCode(code), ...adopted });
    if (this.#listed.get(device.deviceId) !== undefined) {
      this.#listed.delete(device.deviceId);
      await unknownTerminals.remove(attempt.header.terminal.canonical);
    }
    return { result: RegistrationResult.Ok, code };
  }

  /** `device`: the known one with this number, which an approval would change. */
  async #list({ header, body, caller, address }: Attempt, device?: Device): Promise<void> {
    const nowMs = this.#deps.now();
    const bucket =
      this.#refusals.get(address) ??
      new TokenBucket({ burst: REFUSED_REGISTRATIONS_LIMIT.max, perSecond: REFUSED_PER_SECOND }, nowMs);
    this.#refusals.set(address, bucket);
    if (!bucket.take(nowMs)) {
      this.#deps.onLimit(REFUSED_REGISTRATIONS_LIMIT);
      await caller.sleep(CROWDED_WAIT_MS);
      return;
    }
    const { manufacturer, model, terminalId, plate, plateColour } = body;
    const shown = { manufacturer, model, terminalId, plate, plateColour };
    const { terminal, edition } = header;
    const known = device === undefined ? {} : { deviceId: device.deviceId };
    const sighting = { terminal, edition, ...shown, address: caller.remoteAddress, ...known };
    await this.#deps.stores.unknownTerminals.note(sighting, wallMs(nowMs));
  }

  async #note(action: RegistrationAction, { header, body, caller }: Attempt, { deviceId }: Device): Promise<void> {
    const { manufacturer, terminalId } = body;
    const terminal = header.terminal.canonical;
    const entry = { action, deviceId, terminal, manufacturer, terminalId, address: caller.remoteAddress };
    await this.#audit.note(entry, wallMs(this.#deps.now()));
  }

  #find(header: Header): Promise<Device | undefined> {
    return this.#deps.stores.devices.findByTerminal(header.terminal.canonical);
  }
}

function identityOf({ body: { manufacturer, terminalId } }: Attempt) {
  return { manufacturer, terminalId };
}

function claimOf(attempt: Attempt, device: Device) {
  const { manufacturer, terminalId } = attempt.body;
  return {
    number: attempt.header.terminal.canonical,
    address: attempt.address,
    identity: `${manufacturer}\n${terminalId}`,
    isAtHome: device.signInAddress === attempt.address,
  };
}

interface SignIn {
  readonly match: CodeMatch;
  /** Address key. */
  readonly address: string;
}

/**
 * With the first use of a new code the old one ends. One that was never used ends with the next use of the old one, so that
 * a code that somebody else was given does not wait for its moment.
 */
function changeAtSignIn(device: Device, header: Header, { match, address }: SignIn): DeviceChange {
  const codes = match === 'pending' ? { authCodeHash: device.pendingCodeHash } : {};
  return {
    ...codes,
    ...(device.pendingCodeHash === undefined ? {} : { pendingCodeHash: undefined }),
    ...(device.signInAddress === address ? {} : { signInAddress: address }),
    ...(device.approval === undefined ? {} : { approval: undefined }),
    ...(device.edition === header.edition ? {} : { edition: header.edition }),
    ...(device.terminal?.raw === header.terminal.raw ? {} : { terminal: header.terminal }),
  };
}
