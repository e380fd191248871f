// Packets that a device plays, until they are written.
import type { Limit, OnLimit } from '../../limits/limit.ts';
import type { WrittenPacket } from '../../recording/past/pastWriter.ts';
import type { IngestOutcome, IngestStream, LastGroup } from './ingest.ts';

/**
 * Data that a device has played and that waits for the disk. Above half of it the device is told to wait. The stream of one that does not
 * is cut off at the packet that exceeds it.
 */
export const STREAM_QUEUE_LIMIT: Limit = { name: 'sync.waiting-bytes.stream', max: 8 * 1024 * 1024 };

export interface QueueSink {
  take(packets: readonly WrittenPacket[]): Promise<boolean>;
  end(lastGroup?: LastGroup): Promise<IngestOutcome | undefined>;
}

export interface QueueDeps {
  /** Resolves when writing may begin. */
  readonly begin: () => Promise<QueueSink>;
  readonly onLimit?: OnLimit | undefined;
  readonly onFault: (error: unknown) => void;
}

const NOTHING_SENT: IngestOutcome = { kind: 'failed', fault: 'nothing-sent' };
const INTERNAL: IngestOutcome = { kind: 'failed', fault: 'internal' };

export class PacketQueue implements IngestStream {
  readonly #deps: QueueDeps;
  readonly #sink: Promise<QueueSink | undefined>;
  #waiting: WrittenPacket[] = [];
  #waitingBytes = 0;
  #pumping: Promise<void> | undefined;
  #hasFailed = false;
  /** The sink accepts no more, or too much has come: further packets are left out. */
  #isOver = false;
  /** Packets that were left out are missing: they have to be fetched again. */
  #isCutOff = false;
  #ended: Promise<IngestOutcome> | undefined;

  constructor(deps: QueueDeps) {
    this.#deps = deps;
    this.#sink = deps.begin().catch((error: unknown) => {
      this.#fail(error);
      return undefined;
    });
  }

  packet(packet: WrittenPacket): boolean {
    if (this.#isOver || this.#ended !== undefined) return true;
    const bytes = packet.bytes.byteLength;
    if (this.#waitingBytes + bytes > STREAM_QUEUE_LIMIT.max) {
      this.#isOver = true;
      this.#isCutOff = true;
      this.#deps.onLimit?.(STREAM_QUEUE_LIMIT);
      return true;
    }
    this.#waiting.push(packet);
    this.#waitingBytes += bytes;
    this.#pumping ??= this.#pump();
    return this.#waitingBytes <= STREAM_QUEUE_LIMIT.max / 2;
  }

  async drained(): Promise<void> {
    await this.#pumping;
  }

  end(lastGroup?: LastGroup): Promise<IngestOutcome> {
    this.#ended ??= this.#end(lastGroup);
    return this.#ended;
  }

  async #pump(): Promise<void> {
    try {
      const sink = await this.#sink;
      while (this.#waiting.length > 0) {
        const packets = this.#waiting;
        this.#waiting = [];
        this.#waitingBytes = 0;
        if (sink === undefined || this.#hasFailed) continue;
        if (!(await sink.take(packets))) this.#isOver = true;
      }
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#pumping = undefined;
    }
  }

  async #end(lastGroup: LastGroup | undefined): Promise<IngestOutcome> {
    await this.#pumping;
    const sink = await this.#sink;
    try {
      const outcome = await sink?.end(this.#isCutOff ? 'cut-off' : lastGroup);
      if (this.#hasFailed) return INTERNAL;
      if (!this.#isCutOff || outcome?.kind === 'failed') return outcome ?? NOTHING_SENT;
      return { kind: 'failed', fault: 'incomplete', addedMs: outcome?.kind === 'stored' ? outcome.addedMs : 0 };
    } catch (error) {
      this.#fail(error);
      return INTERNAL;
    }
  }

  #fail(error: unknown): void {
    this.#hasFailed = true;
    this.#isOver = true;
    this.#deps.onFault(error);
  }
}
