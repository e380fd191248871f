import type { CommandResult } from '../terminalSession.ts';
import { GeneralResult } from './codec/codes.ts';

interface Pending {
  readonly messageId: number;
  readonly settle: (result: CommandResult) => void;
}

/** Commands that wait for the terminal's 0x0001, by serial. Every one is settled: answered, timed out or closed. */
export class PendingCommands {
  readonly #after: (delayMs: number, run: () => void) => () => void;
  readonly #pending = new Map<number, Pending>();

  constructor(after: (delayMs: number, run: () => void) => () => void) {
    this.#after = after;
  }

  await(serial: number, messageId: number, timeoutMs: number): Promise<CommandResult> {
    return new Promise((resolve) => {
      const cancel = this.#after(timeoutMs, () => settle({ ok: false, why: 'timeout' }));
      const settle = (result: CommandResult): void => {
        cancel();
        this.#pending.delete(serial);
        resolve(result);
      };
      this.#pending.set(serial, { messageId, settle });
    });
  }

  /** Some terminals answer twice, some answer what was never asked: what matches nothing is ignored. */
  answer(serial: number, messageId: number, result: number): void {
    const pending = this.#pending.get(serial);
    if (pending === undefined || pending.messageId !== messageId) return;
    pending.settle(result === GeneralResult.Ok ? { ok: true } : { ok: false, why: 'refused', result });
  }

  close(): void {
    for (const pending of [...this.#pending.values()]) pending.settle({ ok: false, why: 'closed' });
  }
}
