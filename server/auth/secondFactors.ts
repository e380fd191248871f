// The second factor of a user: begun, proven, asked for, taken away.
import type { TotpEnrolment } from '../../shared/protocol/api/signIn.ts';
import type { WallMs } from '../../shared/protocol/time.ts';
import type { KnownBrowserStore } from '../store/accounts/knownBrowsers.ts';
import type { SecondFactorStore } from '../store/accounts/secondFactors.ts';
import type { User } from '../store/accounts/users.ts';
import {
  createRecoveryCodes,
  createTotpSecret,
  hashRecoveryCode,
  otpauthAddress,
  readCode,
  stepOfCode,
  waitAfterAttempts,
} from './oneTimeCodes.ts';
import type { SecretBox } from './secretBox.ts';

export type CodeAnswer =
  | { readonly ok: true; readonly by: 'app' | 'recovery' }
  | { readonly ok: false; readonly reason: 'wrong-code' }
  | { readonly ok: false; readonly reason: 'slow-down'; readonly retryAfterMs: number };

export type EnrolAnswer =
  | { readonly ok: true; readonly recoveryCodes: readonly string[] }
  | { readonly ok: false; readonly reason: 'wrong-code' };

export interface SecondFactors {
  isEnrolled(userId: number): Promise<boolean>;
  /** Creates a new secret, which replaces an earlier one once a code of it has been entered. */
  begin(user: User, issuer: string): Promise<TotpEnrolment>;
  confirm(user: User, code: string): Promise<EnrolAnswer>;
  /**
   * Whether the code is valid now. Each code is accepted once. `browser` is the hash of a browser that the user has signed
   * in from before: it is delayed only by its own wrong codes, so that somebody who only knows the password can't delay it.
   */
  check(user: User, code: string, browser?: string): Promise<CodeAnswer>;
  recoveryCodesLeft(userId: number): Promise<number>;
  remove(userId: number): Promise<boolean>;
}

export interface SecondFactorsDeps {
  readonly secondFactors: SecondFactorStore;
  readonly knownBrowsers: Pick<KnownBrowserStore, 'beginCode' | 'codeWaitUntil' | 'forgiveCodes'>;
  readonly box: SecretBox;
  readonly now: () => WallMs;
}

const WRONG = { ok: false, reason: 'wrong-code' } as const;

export function createSecondFactors({ secondFactors, knownBrowsers, box, now }: SecondFactorsDeps): SecondFactors {
  async function begin(user: User, issuer: string): Promise<TotpEnrolment> {
    const secret = createTotpSecret();
    await secondFactors.setPending(user.id, box.seal(secret, contextOf(user.id)));
    return { secret, address: otpauthAddress(secret, issuer, user.username) };
  }

  async function confirm(user: User, typed: string): Promise<EnrolAnswer> {
    const known = await secondFactors.find(user.id);
    const secret = box.open(known?.pendingSecret ?? '', contextOf(user.id));
    const given = readCode(typed);
    if (known === undefined || secret === undefined || given.kind !== 'app') return WRONG;
    const step = stepOfCode(secret, given.code, now());
    if (step === undefined) return WRONG;
    const recoveryCodes = createRecoveryCodes();
    const recoveryHashes = recoveryCodes.map(hashRecoveryCode);
    const enrolment = { sealedSecret: known.pendingSecret, step, recoveryHashes };
    return (await secondFactors.enrol(user.id, enrolment)) ? { ok: true, recoveryCodes } : WRONG;
  }

  /** The count of wrong codes that applies: one per known browser, and one for all others together. */
  function countOf({ id: userId }: User, browser: string | undefined) {
    if (browser === undefined) {
      return {
        begin: () => secondFactors.beginAttempt(userId, now(), waitAfterAttempts),
        waitUntilMs: async () => (await secondFactors.find(userId))?.waitUntilMs,
        forgive: () => secondFactors.forgive(userId),
      };
    }
    const known = { tokenHash: browser, userId };
    return {
      begin: () => knownBrowsers.beginCode(known, now(), waitAfterAttempts),
      waitUntilMs: () => knownBrowsers.codeWaitUntil(known),
      forgive: () => knownBrowsers.forgiveCodes(known),
    };
  }

  async function check(user: User, typed: string, browser?: string): Promise<CodeAnswer> {
    const count = countOf(user, browser);
    if (!(await count.begin())) {
      const waitUntilMs = await count.waitUntilMs();
      if (waitUntilMs === undefined) return WRONG; // there is none to give a code of
      return { ok: false, reason: 'slow-down', retryAfterMs: Math.max(1_000, waitUntilMs - now()) };
    }
    const answer = await take(user, typed);
    if (answer.ok) await count.forgive();
    return answer;
  }

  async function take(user: User, typed: string): Promise<CodeAnswer> {
    const given = readCode(typed);
    switch (given.kind) {
      case 'none':
        return WRONG;
      case 'recovery': {
        const isRight = await secondFactors.takeRecoveryCode(user.id, hashRecoveryCode(given.code));
        return isRight ? { ok: true, by: 'recovery' } : WRONG;
      }
      case 'app':
        return (await takeAppCode(user, given.code)) ? { ok: true, by: 'app' } : WRONG;
    }
  }

  async function takeAppCode(user: User, code: string): Promise<boolean> {
    const known = await secondFactors.find(user.id);
    const secret = box.open(known?.secret ?? '', contextOf(user.id));
    const step = secret === undefined ? undefined : stepOfCode(secret, code, now());
    return step !== undefined && (await secondFactors.takeStep(user.id, step));
  }

  return {
    isEnrolled: async (userId) => ((await secondFactors.find(userId))?.secret ?? '') !== '',
    begin,
    confirm,
    check,
    recoveryCodesLeft: secondFactors.countRecoveryCodes,
    remove: secondFactors.remove,
  };
}

function contextOf(userId: number): string {
  return `second factor of user ${userId}`;
}
