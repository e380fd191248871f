// One ingest: packets, in their order, become segments in the gaps of the server's recordings.
import type { OnLimit } from '../../limits/limit.ts';
import type { PastChannelWriter, PastSegments } from '../../recording/past/pastSegments.ts';
import type { WrittenPacket } from '../../recording/past/pastWriter.ts';
import { type Collected, GroupCollector } from './groupCollector.ts';
import type { IngestOutcome, IngestTarget, LastGroup } from './ingest.ts';
import { Placement } from './placement.ts';
import { findTaken, type TakenDeps } from './takenTime.ts';

export interface IngestRunDeps extends TakenDeps {
  readonly past: Pick<PastSegments, 'open' | 'mayWrite'>;
  /** Writes complete segments to the database. */
  readonly store: () => Promise<void>;
  readonly onLimit?: OnLimit | undefined;
}

export class IngestRun {
  readonly #deps: IngestRunDeps;
  readonly #writer: PastChannelWriter;
  readonly #placement: Placement;
  readonly #collector: GroupCollector;
  /** Groups that have come, whether or not they are kept. */
  #groups = 0;
  #addedMs = 0;
  #bytes = 0;
  #isRefused = false;

  private constructor(deps: IngestRunDeps, writer: PastChannelWriter, placement: Placement) {
    this.#deps = deps;
    this.#writer = writer;
    this.#placement = placement;
    this.#collector = new GroupCollector(deps.onLimit);
  }

  /** Begins when nobody else adds to the channel. */
  static async begin(target: IngestTarget, deps: IngestRunDeps): Promise<IngestRun> {
    const { archiveId, channel, quality } = target;
    const writer = await deps.past.open({ archiveId, channel, quality });
    try {
      return new IngestRun(deps, writer, new Placement(target, await findTaken(target, deps)));
    } catch (error) {
      await writer.close();
      throw error;
    }
  }

  /** False when there is no more room on the disk. */
  async take(packets: readonly WrittenPacket[]): Promise<boolean> {
    for (const packet of packets) {
      if (this.#isRefused) break;
      const collected = this.#collector.push(packet);
      if (collected !== undefined) await this.#add(collected);
    }
    return !this.#isRefused;
  }

  /** Complete groups are kept, even if the disk was full or the source broke off. Undefined when there were none. */
  async end(lastGroup: LastGroup = 'whole'): Promise<IngestOutcome | undefined> {
    try {
      const last = this.#collector.end();
      if (last !== undefined && lastGroup === 'cut-off') this.#groups++;
      else if (last !== undefined && !this.#isRefused) await this.#add(last);
    } finally {
      await this.#writer.close();
    }
    await this.#deps.store();
    if (this.#isRefused) return { kind: 'failed', fault: 'disk-full' };
    return this.#groups === 0 ? undefined : { kind: 'stored', addedMs: this.#addedMs, bytes: this.#bytes };
  }

  async #add(collected: Collected): Promise<void> {
    this.#groups++;
    const group = this.#placement.place(collected);
    if (group === undefined) return;
    if (!(await this.#writer.add(group))) {
      this.#isRefused = true;
      return;
    }
    this.#addedMs += group.toMs - group.fromMs;
    this.#bytes += group.packets.reduce((sum, { bytes }) => sum + bytes.byteLength, 0);
  }
}
