// A decoder as a machine of some speed has it: it works on one unit after the other, gives pictures in the order of their times, and
// holds some of them back for that.
import type { Decoder } from '../../../../../workers/video/decode/streamDecoder.ts';
import type { ManualTimers } from '../../../../support/fakes/manualTimers.ts';
import { FakeFrame } from './fakeDecoder.ts';

export interface Pace {
  readonly timers: Pick<ManualTimers, 'runAfter'>;
  /** How long the next unit takes. */
  readonly unitMs: () => number;
  /** Pictures that are held back because an earlier one may follow. */
  readonly heldBack: number;
}

type Work =
  | { readonly kind: 'unit'; readonly timestamp: number }
  | { readonly kind: 'flush'; readonly resolve: () => void; readonly reject: (error: Error) => void };

export class PacedDecoder implements Decoder {
  state: CodecState = 'unconfigured';
  readonly #init: VideoDecoderInit;
  readonly #pace: Pace;
  #queue: Work[] = [];
  #held: number[] = [];
  #needsKey = true;
  #cancelWork: (() => void) | undefined;

  constructor(init: VideoDecoderInit, pace: Pace) {
    this.#init = init;
    this.#pace = pace;
  }

  configure(): void {
    this.state = 'configured';
    this.#needsKey = true;
  }

  decode(chunk: EncodedVideoChunk): void {
    if (this.#needsKey && chunk.type !== 'key') throw new DOMException('a key frame is needed', 'DataError');
    this.#needsKey = false;
    this.#add({ kind: 'unit', timestamp: chunk.timestamp });
  }

  flush(): Promise<void> {
    this.#needsKey = true;
    return new Promise((resolve, reject) => this.#add({ kind: 'flush', resolve, reject }));
  }

  reset(): void {
    this.#drop();
    this.state = 'unconfigured';
  }

  close(): void {
    this.#drop();
    this.state = 'closed';
  }

  #add(work: Work): void {
    this.#queue.push(work);
    this.#work();
  }

  #work(): void {
    if (this.#cancelWork !== undefined || this.#queue.length === 0) return;
    this.#cancelWork = this.#pace.timers.runAfter(this.#pace.unitMs(), () => {
      this.#cancelWork = undefined;
      const work = this.#queue.shift();
      if (work?.kind === 'unit') this.#hold(work.timestamp);
      else this.#giveDownTo(0);
      if (work?.kind === 'flush') work.resolve();
      this.#work();
    });
  }

  #hold(timestamp: number): void {
    this.#held.push(timestamp);
    this.#held.sort((left, right) => left - right);
    this.#giveDownTo(this.#pace.heldBack);
  }

  #giveDownTo(count: number): void {
    while (this.#held.length > count) {
      this.#init.output(new FakeFrame(this.#held.shift() ?? 0) as unknown as VideoFrame);
    }
  }

  #drop(): void {
    this.#cancelWork?.();
    this.#cancelWork = undefined;
    for (const work of this.#queue) if (work.kind === 'flush') work.reject(new DOMException('dropped', 'AbortError'));
    this.#queue = [];
    this.#held = [];
  }
}
