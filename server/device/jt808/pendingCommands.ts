import type { CommandResult } from '../terminalSession.ts';
import { GeneralResult } from './codec/codes.ts';
import type { SentSerials } from './outbox.ts';

interface Pending {
  readonly serials: SentSerials;
  readonly messageId: number;
  readonly settle: (result: CommandResult) => void;
}

/** Commands that wait for the terminal's 0x0001, by serial. Every one is settled: answered, timed out or closed. */
export class PendingCommands {
  readonly #runAfter: (delayMs: number, run: () => void) => () => void;
  readonly #pending = new Set<Pending>();

  constructor(runAfter: (delayMs: number, run: () => void) => () => void) {
    this.#runAfter = runAfter;
  }

  await(serials: SentSerials, messageId: number, timeoutMs: number): Promise<CommandResult> {
    return new Promise((resolve) => {
      const cancel = this.#runAfter(timeoutMs, () => pending.settle({ ok: false, reason: 'timeout' }));
      const pending: Pending = {
        serials,
        messageId,
        settle: (result) => {
          cancel();
          this.#pending.delete(pending);
          resolve(result);
        },
      };
      this.#pending.add(pending);
    });
  }

  /**
   * Some terminals answer twice, some answer what was never asked: what matches nothing is ignored. Of a command that
   * went out in packages, success for one that is not the last only says that the package came.
   */
  answer(serial: number, messageId: number, result: number): void {
    for (const { serials, messageId: id, settle } of [...this.#pending]) {
      if (id !== messageId || !isWithin(serial, serials)) continue;
      if (result !== GeneralResult.Ok) settle({ ok: false, reason: 'refused', result });
      else if (serial === serials.last) settle({ ok: true });
      return;
    }
  }

  close(): void {
    for (const pending of [...this.#pending]) pending.settle({ ok: false, reason: 'closed' });
  }
}

/** Serials wrap, so distances are compared. */
export function isWithin(serial: number, { first, last }: SentSerials): boolean {
  return ((serial - first) & 0xffff) <= ((last - first) & 0xffff);
}
