// The page's sound: one AudioContext at the machine's own rate, a worklet for each stream that has sound, and the worker
// that decodes for them. Loaded when the first sound comes. A context at a codec's 8,000 Hz is accepted and stays silent on some systems.
// Samples go through message ports and not through shared memory, which a framed page doesn't get.

import workletUrl from '../../../../workers/audio/audio.worklet.ts?worker&url';
import type { FromAudioWorker, PictureDelay, ToAudioWorker } from '../../../../workers/audio/messages.ts';
import type { StreamId } from '../../../../workers/stream/messages.ts';
import { WorkerLink } from '../workerLink.ts';

export interface SoundEvents {
  /** Whether the browser waits for a gesture; called when a stream is attached and at each change. */
  readonly blocked: (streamId: StreamId, isBlocked: boolean) => void;
  readonly unsupported: (streamId: StreamId, codec: string) => void;
}

interface StreamSound {
  readonly toWorklet: MessagePort;
  node: AudioWorkletNode | undefined;
  isAudible: boolean;
}

const GESTURES = ['pointerdown', 'keydown'] as const;

/** Owns the context, the nodes and the worker. */
export class PageSound {
  readonly #events: SoundEvents;
  readonly #context = new AudioContext({ latencyHint: 'interactive' });
  readonly #worker: WorkerLink<ToAudioWorker, FromAudioWorker>;
  readonly #streams = new Map<StreamId, StreamSound>();
  readonly #ready: Promise<void>;
  readonly #unlock = () => this.unlock();

  constructor(events: SoundEvents) {
    this.#events = events;
    const worker = new Worker(new URL('../../../../workers/audio/audio.worker.ts', import.meta.url), {
      type: 'module',
    });
    this.#worker = new WorkerLink(worker, {
      onMessage: (message) => {
        if (message.type === 'unsupported') events.unsupported(message.streamId, message.codec);
      },
      onBroken: (message) => console.warn(`the sound has stopped: ${message}`),
    });
    this.#ready = this.#context.audioWorklet.addModule(workletUrl);
    this.#context.onstatechange = () => this.#tellState();
    // Any gesture in the page will do, not only one on the button that asks for it.
    for (const gesture of GESTURES) document.addEventListener(gesture, this.#unlock, { capture: true });
  }

  /** Gives the port that the stream worker sends the stream's sound to. */
  attach(streamId: StreamId, isSession: boolean): MessagePort {
    const frames = new MessageChannel();
    const chunks = new MessageChannel();
    this.#streams.set(streamId, { toWorklet: chunks.port2, node: undefined, isAudible: false });
    this.#worker.post({ type: 'attach', streamId, port: frames.port1, output: chunks.port1, isSession }, [
      frames.port1,
      chunks.port1,
    ]);
    void this.#ready.then(
      () => this.#addNode(streamId),
      (error: unknown) => console.warn('there will be no sound', error),
    );
    this.#events.blocked(streamId, this.#isBlocked);
    return frames.port2;
  }

  setAudible(streamId: StreamId, isAudible: boolean): void {
    const stream = this.#streams.get(streamId);
    if (stream === undefined) return;
    stream.isAudible = isAudible;
    this.#tellAudible(streamId, stream);
  }

  setDelay(streamId: StreamId, { delayMs, showingOffsetMs }: PictureDelay): void {
    if (!this.#streams.has(streamId)) return;
    this.#worker.post({ type: 'delay', streamId, pictures: { delayMs, showingOffsetMs } });
  }

  /** The viewer pauses the page's playback, or goes on. */
  hold(isOn: boolean): void {
    for (const streamId of this.#streams.keys()) this.#worker.post({ type: 'hold', streamId, on: isOn });
  }

  /** Does nothing unless the browser sees a gesture behind it. */
  unlock(): void {
    if (this.#isBlocked) this.#context.resume().catch(() => undefined); // refused: the next gesture may do
  }

  detach(streamId: StreamId): void {
    const stream = this.#streams.get(streamId);
    if (stream === undefined) return;
    this.#streams.delete(streamId);
    this.#worker.post({ type: 'detach', streamId });
    stream.node?.port.postMessage(null);
    stream.node?.disconnect();
  }

  /** Safe to call twice. */
  close(): void {
    for (const streamId of [...this.#streams.keys()]) this.detach(streamId);
    for (const gesture of GESTURES) document.removeEventListener(gesture, this.#unlock, { capture: true });
    this.#context.onstatechange = null;
    this.#worker.close();
    if (this.#context.state !== 'closed') void this.#context.close();
  }

  get #isBlocked(): boolean {
    return this.#context.state !== 'running';
  }

  #addNode(streamId: StreamId): void {
    const stream = this.#streams.get(streamId);
    if (stream === undefined) return;
    stream.node = new AudioWorkletNode(this.#context, 'playout', { numberOfInputs: 0, outputChannelCount: [1] });
    stream.node.port.postMessage(stream.toWorklet, [stream.toWorklet]);
    stream.node.connect(this.#context.destination);
  }

  #tellState(): void {
    for (const [streamId, stream] of this.#streams) {
      this.#events.blocked(streamId, this.#isBlocked);
      this.#tellAudible(streamId, stream);
    }
  }

  /** A context that stands still takes nothing: what would pile up before it is not even decoded. */
  #tellAudible(streamId: StreamId, { isAudible }: StreamSound): void {
    this.#worker.post({ type: 'audible', streamId, on: isAudible && !this.#isBlocked });
  }
}
