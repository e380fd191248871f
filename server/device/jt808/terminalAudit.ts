// Writes registrations that an administrator should know of to the audit log: once when they begin, and once an hour with their number.
import { wallMs } from '../../../shared/protocol/time.ts';
import { inBackground } from '../../faults/background.ts';
import type { OnFault } from '../../faults/onFault.ts';
import type { Limit, OnLimit } from '../../limits/limit.ts';
import { TokenBucket } from '../../limits/tokenBucket.ts';
import type { AuditStore } from '../../store/audit/audit.ts';

export type RegistrationAction =
  /** The number is a device's, the identity not the one that the device was adopted with. */
  | 'terminal.mismatch'
  /** The device is online from another address. */
  | 'terminal.elsewhere'
  /** A new code went to another address than the one that the device last signed in from. */
  | 'terminal.moved';

/**
 * Audit entries at once for wrong identities, for online numbers and for codes at new addresses, of each kind; then one every 10 s. A
 * further one is not written. Repetitions within an hour are counted and written once.
 */
export const AUDIT_LIMIT: Limit = { name: 'terminals.audit.action', max: 100 };
const ENTRIES_PER_SECOND = 0.1;
const HOUR_MS = 60 * 60_000;

export interface AuditedRegistration {
  readonly action: RegistrationAction;
  readonly deviceId: string;
  readonly terminal: string;
  readonly manufacturer: string;
  readonly terminalId: string;
  /** The address that the registration came from. */
  readonly address: string;
}

interface Noted {
  readonly entry: AuditedRegistration;
  readonly atMs: number;
  /** Repetitions since then. */
  repetitions: number;
}

export interface TerminalAuditDeps {
  readonly audit: Pick<AuditStore, 'add'>;
  readonly now: () => number;
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
  readonly onLimit: OnLimit;
  readonly onFault: OnFault;
}

export class TerminalAudit {
  readonly #deps: TerminalAuditDeps;
  /** Registrations of the last hour, oldest first; no more than the rate allows. */
  readonly #noted = new Map<string, Noted>();
  readonly #buckets = new Map<RegistrationAction, TokenBucket>();
  #cancel: (() => void) | undefined;

  constructor(deps: TerminalAuditDeps) {
    this.#deps = deps;
  }

  async note(entry: AuditedRegistration): Promise<void> {
    const key = `${entry.action} ${entry.deviceId} ${entry.address}`;
    const before = this.#noted.get(key);
    if (before !== undefined) {
      before.repetitions++;
      return;
    }
    const atMs = this.#deps.now();
    if (!this.#bucketOf(entry.action, atMs).take(atMs)) {
      this.#deps.onLimit(AUDIT_LIMIT);
      return;
    }
    this.#noted.set(key, { entry, atMs, repetitions: 0 });
    this.#schedule();
    await this.#add(entry, 1);
  }

  /** Writes what has been counted. */
  async close(): Promise<void> {
    this.#cancel?.();
    await this.#end([...this.#noted]);
  }

  #schedule(): void {
    const [oldest] = this.#noted.values();
    if (oldest === undefined || this.#cancel !== undefined) return;
    // Without the bound, a clock that was set back would keep it for longer.
    const delayMs = Math.min(oldest.atMs + HOUR_MS - this.#deps.now(), HOUR_MS);
    this.#cancel = this.#deps.runAfter(Math.max(delayMs, 1), () => {
      this.#cancel = undefined;
      const due = [...this.#noted].filter(([, { atMs }]) => atMs + HOUR_MS <= this.#deps.now());
      inBackground('repeated registrations could not be written to the audit', this.#end(due), this.#deps.onFault);
      this.#schedule();
    });
  }

  async #end(ended: readonly (readonly [string, Noted])[]): Promise<void> {
    for (const [key] of ended) this.#noted.delete(key);
    const repeated = ended.filter(([, { repetitions }]) => repetitions > 0);
    await Promise.all(repeated.map(([, { entry, repetitions }]) => this.#add(entry, repetitions)));
  }

  async #add({ action, deviceId, address, ...shown }: AuditedRegistration, attempts: number): Promise<void> {
    const entry = { actor: '', action, target: deviceId, address, detail: { ...shown, attempts } };
    await this.#deps.audit.add(entry, wallMs(this.#deps.now()));
  }

  #bucketOf(action: RegistrationAction, nowMs: number): TokenBucket {
    const rate = { burst: AUDIT_LIMIT.max, perSecond: ENTRIES_PER_SECOND };
    const bucket = this.#buckets.get(action) ?? new TokenBucket(rate, nowMs);
    this.#buckets.set(action, bucket);
    return bucket;
  }
}
