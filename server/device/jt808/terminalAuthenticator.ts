// Lets terminals in, or lists them for an administrator.
import { wallMs } from '../../../shared/protocol/time.ts';
import type { OnFault } from '../../faults/onFault.ts';
import { addressKey } from '../../limits/addressKey.ts';
import type { OnLimit } from '../../limits/limit.ts';
import { RecentMap } from '../../limits/recentMap.ts';
import { storableText } from '../../limits/storableText.ts';
import type { AuditStore } from '../../store/audit/audit.ts';
import type { Device, DeviceChange, DeviceStore } from '../../store/devices/devices.ts';
import type { AdoptedIdentity } from '../../store/devices/terminalIdentity.ts';
import type { UnknownTerminalStore } from '../../store/devices/unknownTerminals.ts';
import type { DeviceRegistry } from '../registry.ts';
import type { Caller } from './addressGate.ts';
import { RegistrationResult } from './codec/codes.ts';
import type { Header } from './codec/header.ts';
import type { Authentication } from './codec/messages/authentication.ts';
import type { Registration } from './codec/messages/registration.ts';
import { type IdentityClaim, IdentityThrottle } from './identityThrottle.ts';
import {
  type RegistrationClaim,
  RegistrationGate,
  type RegistrationOutcome,
  type RegistrationPass,
} from './registrationGate.ts';
import {
  type CodeMatch,
  checkRegistration,
  createAuthCode,
  hashAuthCode,
  matchCode,
  type RegistrationAcceptance,
  type RegistrationRefusal,
} from './signIn.ts';
import { type RegistrationAction, TerminalAudit } from './terminalAudit.ts';

export type SignedInDevice = Pick<
  Device,
  'deviceId' | 'incarnation' | 'archiveNumber' | 'anyMediaAddress' | 'channelsFromZero' | 'chn'
>;

interface RegistrationReplyFields {
  readonly result: RegistrationResult;
  /** Only present with result 0. */
  readonly code?: string;
}

export interface TerminalAuthenticator {
  /**
   * Undefined for a registration that is not checked, since too many of its address or its number are waiting: the connection must
   * be closed.
   */
  register(header: Header, body: Registration, caller: Caller): Promise<RegistrationReplyFields | undefined>;
  /** The device that the code belongs to; undefined for a wrong code. */
  authenticate(header: Header, body: Authentication, caller: Caller): Promise<SignedInDevice | undefined>;
}

export interface SignInStores {
  readonly devices: Pick<DeviceStore, 'findByTerminal' | 'update'>;
  readonly unknownTerminals: Pick<UnknownTerminalStore, 'note' | 'remove'>;
  readonly audit: Pick<AuditStore, 'add'>;
}

/** A terminal that may not register: its number is unknown, or belongs to a device with another identity. */
export interface RefusedTerminal {
  readonly device: Pick<Device, 'deviceId' | 'incarnation' | 'archiveNumber'> | undefined;
}

export interface AuthenticatorDeps {
  readonly stores: SignInStores;
  readonly registry: Pick<DeviceRegistry, 'session'>;
  readonly now: () => number;
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
  readonly onRefused?: ((terminal: RefusedTerminal) => void) | undefined;
  readonly onLimit: OnLimit;
  readonly onFault: OnFault;
}

const MAX_REMEMBERED_LISTED = 1_000;

/** The authenticator that all connections share; `close` writes what is still in memory. */
export interface SharedAuthenticator extends TerminalAuthenticator {
  close(): Promise<void>;
}

export function createTerminalAuthenticator(deps: AuthenticatorDeps): SharedAuthenticator {
  return new Authenticator(deps);
}

interface Attempt {
  readonly header: Header;
  readonly body: Registration;
  readonly caller: Caller;
  readonly identity: AdoptedIdentity;
  readonly claim: RegistrationClaim;
  readonly pass: RegistrationPass;
}

class Authenticator implements SharedAuthenticator {
  readonly #deps: AuthenticatorDeps;
  readonly #throttle: IdentityThrottle;
  readonly #audit: TerminalAudit;
  readonly #gate: RegistrationGate;
  /** Devices whose number was listed because they were online from another address: when the number gets in, it leaves the list. */
  readonly #listed = new RecentMap<true>(MAX_REMEMBERED_LISTED);

  constructor(deps: AuthenticatorDeps) {
    this.#deps = deps;
    this.#throttle = new IdentityThrottle(deps.now, deps.onLimit);
    this.#audit = new TerminalAudit({ ...deps, audit: deps.stores.audit });
    this.#gate = new RegistrationGate(deps);
  }

  async register(header: Header, body: Registration, caller: Caller): Promise<RegistrationReplyFields | undefined> {
    const identity = identityOf(body);
    const claim = claimOf(header, identity, caller);
    const pass = await this.#gate.enter(claim, caller);
    if (pass === undefined) return undefined;
    let outcome: RegistrationOutcome = 'failed';
    try {
      const answer = await this.#answer({ header, body, caller, identity, claim, pass });
      outcome = outcomeOf(answer);
      return answer;
    } finally {
      pass.leave(outcome);
    }
  }

  async authenticate(header: Header, body: Authentication, caller: Caller): Promise<SignedInDevice | undefined> {
    const device = await this.#find(header);
    const match = device === undefined || device.disabled ? undefined : matchCode(device, body.code);
    if (device === undefined || match === undefined) return undefined;
    const change = changeAtSignIn(device, header, { match, address: addressKey(caller.remoteAddress) });
    if (Object.keys(change).length > 0) await this.#deps.stores.devices.update(device.deviceId, change);
    return device;
  }

  async close(): Promise<void> {
    await this.#audit.close();
  }

  async #answer(attempt: Attempt): Promise<RegistrationReplyFields | undefined> {
    const { header, caller, claim, pass } = attempt;
    const found = await this.#find(header);
    const isJudgedAtOnce = pass.wasLetIn || found?.identity === undefined;
    const waitMs = isJudgedAtOnce ? 0 : this.#throttle.waitMs(atHomeOr(claim, found));
    if (waitMs === undefined) return undefined;
    if (waitMs === 0) return this.#judge(attempt, found);
    return (await caller.sleep(waitMs)) ? this.#judge(attempt, await this.#find(header)) : undefined;
  }

  async #judge(attempt: Attempt, device: Device | undefined): Promise<RegistrationReplyFields> {
    const decision = checkRegistration(device, attempt.identity);
    if (decision.kind === 'refuse') return this.#refuse(attempt, device, decision);
    const { device: known } = decision;
    if (!(await this.#isElsewhere(known, attempt))) return this.#accept(attempt, decision);
    this.#listed.set(known.deviceId, true);
    await this.#list(attempt, known);
    await this.#note('terminal.elsewhere', attempt, known);
    return { result: RegistrationResult.TerminalRegistered };
  }

  /** Nothing may be awaited before `failed`: guesses that arrive together would all be checked against the same count. */
  async #refuse(
    attempt: Attempt,
    device: Device | undefined,
    { result, isKnownNumber }: RegistrationRefusal,
  ): Promise<RegistrationReplyFields> {
    if (device === undefined || !isKnownNumber) {
      await this.#list(attempt);
      this.#deps.onRefused?.({ device: undefined });
      return { result };
    }
    this.#throttle.failed(atHomeOr(attempt.claim, device));
    await this.#list(attempt, device);
    await this.#note('terminal.mismatch', attempt, device);
    this.#deps.onRefused?.({ device });
    return { result };
  }

  /** Whether the number belongs to another address for now: the approved one, or the one it is online from. */
  async #isElsewhere({ deviceId, approval }: Device, attempt: Attempt): Promise<boolean> {
    const { address } = attempt.claim;
    if (approval !== undefined && approval.untilMs > this.#deps.now()) return approval.address !== address;
    const session = this.#deps.registry.session(deviceId);
    if (session === undefined || addressKey(session.remoteAddress) === address) return false;
    if (await session.isAlive()) return true;
    // Asking took seconds, in which an administrator may have assigned the number to another identity.
    return checkRegistration(await this.#find(attempt.header), attempt.identity).kind === 'refuse';
  }

  /** Registering changes nothing in the device except the code that waits for its first use. */
  async #accept(attempt: Attempt, { device, adopt }: RegistrationAcceptance): Promise<RegistrationReplyFields> {
    const { devices, unknownTerminals } = this.#deps.stores;
    const code = createAuthCode();
    const adopted = adopt === undefined ? {} : { identity: adopt };
    await devices.update(device.deviceId, { pendingCodeHash: hashAuthCode(code), ...adopted });
    if (hasMoved(device, attempt.claim)) await this.#note('terminal.moved', attempt, device);
    if (this.#listed.get(device.deviceId) !== undefined) {
      this.#listed.delete(device.deviceId);
      await unknownTerminals.remove(attempt.header.terminal.canonical);
    }
    return { result: RegistrationResult.Ok, code };
  }

  /** `device`: the existing one with this number, which an approval would change. */
  async #list({ header, body, caller, identity, pass }: Attempt, device?: Device): Promise<void> {
    if (!pass.isListed) return;
    const { model, plate, plateColour } = body;
    const shown = { ...identity, model, plate, plateColour };
    const { terminal, edition } = header;
    const known = device === undefined ? {} : { deviceId: device.deviceId };
    const sighting = { terminal, edition, ...shown, address: caller.remoteAddress, ...known };
    await this.#deps.stores.unknownTerminals.note(sighting, wallMs(this.#deps.now()));
  }

  async #note(action: RegistrationAction, attempt: Attempt, { deviceId }: Device): Promise<void> {
    const { claim, identity, caller } = attempt;
    await this.#audit.note({ action, deviceId, terminal: claim.number, ...identity, address: caller.remoteAddress });
  }

  #find(header: Header): Promise<Device | undefined> {
    return this.#deps.stores.devices.findByTerminal(header.terminal.canonical);
  }
}

/** The identity as it is stored, so that both database engines compare it alike. */
function identityOf({ manufacturer, terminalId }: Registration): AdoptedIdentity {
  return { manufacturer: storableText(manufacturer), terminalId: storableText(terminalId) };
}

function claimOf(header: Header, { manufacturer, terminalId }: AdoptedIdentity, caller: Caller): RegistrationClaim {
  return {
    number: header.terminal.canonical,
    address: addressKey(caller.remoteAddress),
    identity: `${manufacturer}\n${terminalId}`,
  };
}

function atHomeOr(claim: RegistrationClaim, { signInAddress }: Device): IdentityClaim {
  return { ...claim, isAtHome: signInAddress === claim.address };
}

/** A device without an identity has no terminal that could have moved; a device without an address has never signed in. */
function hasMoved({ identity, signInAddress }: Device, { address }: RegistrationClaim): boolean {
  return identity !== undefined && signInAddress !== undefined && signInAddress !== address;
}

function outcomeOf(answer: RegistrationReplyFields | undefined): RegistrationOutcome {
  if (answer === undefined) return 'unjudged';
  return answer.result === RegistrationResult.Ok ? 'let-in' : 'refused';
}

interface SignIn {
  readonly match: CodeMatch;
  /** Address key. */
  readonly address: string;
}

/**
 * The first use of a new code ends the old one. A new code that was never used ends with the next use of the old one, so that a
 * code that someone else was given can't be used later.
 */
function changeAtSignIn(device: Device, header: Header, { match, address }: SignIn): DeviceChange {
  const codes = match === 'pending' ? { authCodeHash: device.pendingCodeHash } : {};
  return {
    ...codes,
    ...(device.pendingCodeHash === undefined ? {} : { pendingCodeHash: undefined }),
    ...(device.signInAddress === address ? {} : { signInAddress: address }),
    ...(device.approval === undefined ? {} : { approval: undefined }),
    ...(device.edition === header.edition ? {} : { edition: header.edition }),
    ...(device.terminal?.raw === header.terminal.raw ? {} : { rawTerminalNumber: header.terminal.raw }),
  };
}
