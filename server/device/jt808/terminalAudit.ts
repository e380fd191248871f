// Registrations that an administrator should know of, in the audit: each once, however often it is repeated.
import type { WallMs } from '../../../shared/protocol/time.ts';
import type { Limit, OnLimit } from '../../limits/limit.ts';
import { RecentMap } from '../../limits/recentMap.ts';
import { TokenBucket } from '../../limits/tokenBucket.ts';
import type { AuditStore } from '../../store/audit.ts';

export type RegistrationAction =
  /** The number is a device's, the identity another one than the device was adopted with. */
  | 'terminal.mismatch'
  /** The device is online from another address. */
  | 'terminal.elsewhere';

/** At once; then one in ten seconds. */
export const AUDIT_LIMIT: Limit = { name: 'terminals.audit.all', max: 100 };
const ENTRIES_PER_SECOND = 0.1;
/** Entries that repetitions are counted for. */
const MAX_REMEMBERED = 10_000;
/** What is repeated is said again after this time, with how often it came. */
const REPEAT_MS = 60 * 60_000;

export interface AuditedRegistration {
  readonly action: RegistrationAction;
  readonly deviceId: string;
  readonly terminal: string;
  readonly manufacturer: string;
  readonly terminalId: string;
  /** Where it came from. */
  readonly address: string;
}

interface Noted {
  readonly atMs: number;
  /** Repetitions since then. */
  readonly repeated: number;
}

export class TerminalAudit {
  readonly #audit: Pick<AuditStore, 'add'>;
  readonly #onLimit: OnLimit;
  readonly #noted = new RecentMap<Noted>(MAX_REMEMBERED);
  readonly #bucket = new TokenBucket({ burst: AUDIT_LIMIT.max, perSecond: ENTRIES_PER_SECOND }, 0);

  constructor(audit: Pick<AuditStore, 'add'>, onLimit: OnLimit) {
    this.#audit = audit;
    this.#onLimit = onLimit;
  }

  async note({ action, deviceId, address, ...shown }: AuditedRegistration, at: WallMs): Promise<void> {
    const key = `${action} ${deviceId} ${address}`;
    const before = this.#noted.get(key);
    if (before !== undefined && at - before.atMs < REPEAT_MS) {
      this.#noted.set(key, { ...before, repeated: before.repeated + 1 });
      return;
    }
    if (!this.#bucket.take(at)) {
      this.#onLimit(AUDIT_LIMIT);
      return;
    }
    this.#noted.set(key, { atMs: at, repeated: 0 });
    const detail = { ...shown, attempts: 1 + (before?.repeated ?? 0) };
    await this.#audit.add({ actor: '', action, target: deviceId, address, detail }, at);
  }
}
