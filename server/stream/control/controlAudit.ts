// Who acted on which vehicle, from where, from when to when. Nothing of what was said.

import { type WallMs, wallMs } from '../../../shared/protocol/time.ts';
import type { ControlTarget } from '../../device/controls.ts';
import { inBackground } from '../../faults/background.ts';
import type { AuditStore } from '../../store/audit/audit.ts';
import type { AuditEntry } from '../../store/audit/auditEntry.ts';
import type { ControlKind } from './controlLocks.ts';

export interface ControlAuditDeps {
  readonly audit: Pick<AuditStore, 'add'>;
  readonly now: () => number;
  readonly onFault: (error: Error) => void;
}

export interface Holder extends ControlTarget {
  readonly username: string;
  readonly address: string;
}

export class ControlAudit {
  readonly #deps: ControlAuditDeps;
  readonly #unwritten = new Set<Promise<void>>();

  constructor(deps: ControlAuditDeps) {
    this.#deps = deps;
  }

  /** Notes the beginning; what it returns notes the end. */
  begin(kind: ControlKind, holder: Holder): (reason: string) => void {
    const from = this.#now();
    const { username: actor, deviceId: target, channel, address } = holder;
    const begun = this.#write({ actor, action: `${kind}.begin`, target, address, detail: { channel } }, from);
    return (reason) => {
      const to = this.#now();
      const detail = { channel, durationMs: to - from, reason };
      // Behind the beginning, however long the database takes for it.
      const ended = begun.then(() => this.#write({ actor, action: `${kind}.end`, target, address, detail }, to));
      inBackground('the audit lacks an end', this.#keep(ended), this.#deps.onFault);
    };
  }

  /** Waits until all of it is written. */
  async close(): Promise<void> {
    while (this.#unwritten.size > 0) await Promise.all(this.#unwritten);
  }

  #now(): WallMs {
    return wallMs(this.#deps.now());
  }

  #write(entry: AuditEntry, at: WallMs): Promise<void> {
    return this.#keep(
      this.#deps.audit.add(entry, at).catch((cause: unknown) => {
        this.#deps.onFault(
          new Error(`the audit lacks ${entry.action} of ${entry.actor} on ${entry.target}`, { cause }),
        );
      }),
    );
  }

  #keep(writing: Promise<void>): Promise<void> {
    this.#unwritten.add(writing);
    const kept = writing.finally(() => this.#unwritten.delete(writing));
    inBackground('the audit lacks an entry', kept, this.#deps.onFault);
    return writing;
  }
}
