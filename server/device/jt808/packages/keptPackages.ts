// Answers 0x0005 about a long message that was sent: terminals put packages together at the end, and ask 5 to 10 s later for those they lack.
import { faultOf } from '../../../faults/onFault.ts';
import type { ResendRequest } from '../codec/messages/general.ts';
import type { LongMessage } from './longMessage.ts';
import { PackagePump } from './packagePump.ts';
import { PACKAGE_REPEATS_LIMIT, type PackageSenderDeps, type PackageSet } from './packageSender.ts';
import { PackageReader } from './packageSource.ts';

/** From the end of the message, and from each request. As long as new firmware is waited for at a terminal that stays online. */
export const KEPT_MS = 15 * 60_000;

export class KeptPackages {
  readonly #message: LongMessage;
  readonly #set: PackageSet;
  readonly #deps: PackageSenderDeps;
  readonly #pump: PackagePump;
  readonly #asked = new Set<number>();
  /** Packages whose acknowledgement may still come; nothing waits for it. */
  readonly #unanswered = new Set<number>();
  /** Holds a block of the file, so it is there only while something is sent. */
  #reader: PackageReader | undefined;
  #repeats = 0;
  #hasEnded = false;
  #cancelTimer: (() => void) | undefined;

  constructor(message: LongMessage, set: PackageSet, deps: PackageSenderDeps) {
    this.#message = message;
    this.#set = set;
    this.#deps = deps;
    this.#pump = new PackagePump(deps, {
      intervalMs: message.intervalMs,
      next: () => this.#next(),
      send: (number) => this.#send(number),
    });
    this.#keepOn();
  }

  expects(serial: number, messageId: number): boolean {
    return messageId === this.#message.messageId && this.#unanswered.has(this.#numberOf(serial));
  }

  answer(serial: number, messageId: number): void {
    if (messageId === this.#message.messageId) this.#unanswered.delete(this.#numberOf(serial));
  }

  /** Whether it is about this message, and may still be asked about. Numbers of packages that there are not are ignored. */
  resend({ firstSerial, numbers }: ResendRequest): boolean {
    if (this.#hasEnded || firstSerial !== this.#set.firstSerial) return false;
    for (const number of new Set(numbers)) {
      if (!Number.isInteger(number) || number < 1 || number > this.#set.total || this.#asked.has(number)) continue;
      if (++this.#repeats > PACKAGE_REPEATS_LIMIT.max) {
        this.#deps.onLimit(PACKAGE_REPEATS_LIMIT);
        this.end();
        return false;
      }
      this.#asked.add(number);
    }
    this.#keepOn();
    this.#pump.run();
    return true;
  }

  end(): void {
    this.#hasEnded = true;
    this.#cancelTimer?.();
    this.#pump.stop();
    this.#reader = undefined;
    this.#asked.clear();
  }

  #numberOf(serial: number): number {
    return ((serial - this.#set.firstSerial) & 0xffff) + 1;
  }

  #keepOn(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = this.#deps.runAfter(KEPT_MS, () => this.end());
  }

  #next(): number | undefined {
    const [number] = this.#asked;
    if (number === undefined) this.#reader = undefined;
    return number;
  }

  async #send(number: number): Promise<void> {
    this.#asked.delete(number);
    const bytes = await this.#read(number);
    if (this.#hasEnded || bytes === undefined) return;
    const { total, firstSerial } = this.#set;
    const body = { kind: 'part', id: this.#message.messageId, part: { total, number }, bytes } as const;
    const sentBytes = this.#deps.outbox.sendPackage(body, (firstSerial + number - 1) & 0xffff);
    if (sentBytes === undefined) return this.end();
    this.#unanswered.add(number);
    this.#message.onSentBytes?.(sentBytes);
  }

  async #read(number: number): Promise<Uint8Array | undefined> {
    this.#reader ??= new PackageReader(this.#message.source);
    try {
      return await this.#reader.read(number);
    } catch (cause) {
      this.#deps.onFault(faultOf('packages that a terminal lacks could not be read', cause));
      this.end();
      return undefined;
    }
  }
}
