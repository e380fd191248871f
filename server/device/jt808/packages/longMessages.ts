// The one long message that may be on its way to a terminal at a time.
import type { BodyOf } from '../codec/message.ts';
import { MAX_PARTS } from '../codec/message.ts';
import type { ResendRequest } from '../codec/messages/general.ts';
import type { Outbox } from '../outbox.ts';
import { KeptPackages } from './keptPackages.ts';
import type { LongMessage, PackagesResult } from './longMessage.ts';
import { PackageSender, type PackageSenderDeps } from './packageSender.ts';
import { packagesOf } from './packageSource.ts';

export interface LongMessagesDeps extends Omit<PackageSenderDeps, 'outbox'> {
  readonly outbox: Outbox;
}

export class LongMessages {
  readonly #deps: LongMessagesDeps;
  #sender: PackageSender | undefined;
  /** The latest message that the terminal may have received completely. */
  #kept: KeptPackages | undefined;
  #isClosed = false;

  constructor(deps: LongMessagesDeps) {
    this.#deps = deps;
  }

  async send(message: LongMessage): Promise<PackagesResult> {
    if (message.signal.aborted) return { ok: false, reason: 'aborted' };
    if (this.#sender !== undefined) return { ok: false, reason: 'busy' };
    const total = packagesOf(message.source.bytes);
    if (total > MAX_PARTS) return { ok: false, reason: 'too-long' };
    const firstSerial = this.#deps.outbox.reserveSerials(total);
    if (firstSerial === undefined) return { ok: false, reason: 'closed' };
    const set = { total, firstSerial };
    const sender = new PackageSender(message, set, this.#deps);
    this.#sender = sender;
    try {
      const result = await sender.result;
      if (sender.isAllSent && mayBeThere(result)) this.#keep(new KeptPackages(message, set, this.#deps));
      return result;
    } finally {
      this.#sender = undefined;
    }
  }

  #keep(kept: KeptPackages): void {
    this.#kept?.end();
    this.#kept = kept;
    if (this.#isClosed) kept.end();
  }

  /** Whether the reply acknowledges a package. There are never more acknowledgements than packages were sent. */
  expects({ replySerial, replyId }: BodyOf<'terminalGeneralReply'>): boolean {
    return this.#sender?.expects(replySerial, replyId) === true || this.#kept?.expects(replySerial, replyId) === true;
  }

  generalReply({ replySerial, replyId, result }: BodyOf<'terminalGeneralReply'>): void {
    this.#kept?.answer(replySerial, replyId);
    this.#sender?.answer(replySerial, replyId, result);
  }

  resend(request: ResendRequest): boolean {
    return this.#sender?.resend(request) === true || this.#kept?.resend(request) === true;
  }

  close(): void {
    this.#sender?.end({ ok: false, reason: 'closed' });
    this.#kept?.end();
    this.#isClosed = true;
  }
}

/** Whether the terminal may have the whole message, which is also so where it fell silent or the sending was aborted. */
function mayBeThere(result: PackagesResult): boolean {
  return result.ok || result.reason === 'timeout' || result.reason === 'aborted';
}
