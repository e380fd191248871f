// Speech from this machine's microphone to a vehicle's loudspeaker, and what its microphone hears back. The samples go
// from the browser's audio thread straight to the stream worker.
import workletUrl from '../../../../workers/audio/capture.worklet.ts?worker&url';
import type { FromCapture, ToCapture } from '../../../../workers/audio/messages.ts';
import type { ControlLine, PlayerEngine, StreamReport } from '../../engine/engine.ts';
import { type LineState, nextLineState } from '../lineState.ts';

export type TalkState =
  | LineState
  /** `missing`: there is none. `denied`: by the user, or by the page that frames this one. `busy`: another program has it. */
  | { readonly kind: 'microphone'; readonly trouble: 'missing' | 'denied' | 'busy' };

export interface TalkEvents {
  readonly onState: (state: TalkState) => void;
  /** How loud the microphone hears, 0 to 1; some 25 times a second. */
  readonly onLevel: (level: number) => void;
}

/** Owns the microphone, its audio context and the line. */
export class TalkLine {
  readonly #engine: PlayerEngine;
  readonly #events: TalkEvents;
  #microphone: MediaStream | undefined;
  #context: AudioContext | undefined;
  #capture: AudioWorkletNode | undefined;
  #line: ControlLine | undefined;
  #state: TalkState = { kind: 'opening' };
  #isSpeaking = false;
  #isClosed = false;

  constructor(engine: PlayerEngine, url: string, events: TalkEvents) {
    this.#engine = engine;
    this.#events = events;
    void this.#start(url);
  }

  /** Only while it is on is anything sent. */
  setSpeaking(isSpeaking: boolean): void {
    this.#isSpeaking = isSpeaking;
    this.#tell({ type: 'speaking', on: isSpeaking });
  }

  /** Safe to call twice. */
  close(): void {
    this.#isClosed = true;
    this.#line?.close();
    for (const track of this.#microphone?.getTracks() ?? []) track.stop();
    this.#capture?.disconnect();
    if (this.#context !== undefined && this.#context.state !== 'closed') void this.#context.close();
  }

  /** The microphone comes first: a vehicle is not called by a user who cannot speak. */
  async #start(url: string): Promise<void> {
    try {
      const audio = { echoCancellation: true, noiseSuppression: true, autoGainControl: true, channelCount: 1 };
      this.#microphone = await navigator.mediaDevices.getUserMedia({ audio });
      this.#context = new AudioContext({ latencyHint: 'interactive' });
      await this.#context.audioWorklet.addModule(workletUrl);
    } catch (error) {
      if (this.#isClosed) return this.close();
      console.warn('there is no microphone', error);
      return this.#show({ kind: 'microphone', trouble: troubleOf(error) });
    }
    if (this.#isClosed) return this.close();
    this.#capture = new AudioWorkletNode(this.#context, 'capture', { numberOfOutputs: 0 });
    this.#capture.port.onmessage = ({ data }: MessageEvent<FromCapture>) => this.#events.onLevel(data.level);
    this.#context.createMediaStreamSource(this.#microphone).connect(this.#capture);
    this.#line = this.#engine.openControl(url, (report) => this.#note(report));
  }

  #note(report: StreamReport): void {
    if (report.type === 'control' && report.event.type === 'opened') this.#open(report.event.sampleRate);
    const line = this.#state.kind === 'microphone' ? undefined : nextLineState(this.#state, report);
    if (line !== undefined && line !== this.#state) this.#show(line);
  }

  #open(sampleRate: number): void {
    const { port1, port2 } = new MessageChannel();
    this.#tell({ type: 'open', port: port1, sampleRate }, [port1]);
    this.#tell({ type: 'speaking', on: this.#isSpeaking });
    this.#line?.setSpeech(port2);
  }

  #tell(message: ToCapture, transfer: Transferable[] = []): void {
    this.#capture?.port.postMessage(message, transfer);
  }

  #show(state: TalkState): void {
    this.#state = state;
    if (!this.#isClosed) this.#events.onState(state);
  }
}

function troubleOf(error: unknown): (TalkState & { readonly kind: 'microphone' })['trouble'] {
  const name = error instanceof DOMException ? error.name : '';
  if (name === 'NotAllowedError' || name === 'SecurityError') return 'denied';
  return name === 'NotReadableError' || name === 'AbortError' ? 'busy' : 'missing';
}
