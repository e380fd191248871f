// Listens to the microphone on the browser's audio thread. Speech goes straight to the stream worker.
import type { FromCapture, ToCapture } from './messages.ts';
import { loudness, SpeechEncoder } from './speech.ts';

/** Interval of the reported loudness in blocks of 128 samples: some 25 reports a second. */
const LEVEL_EVERY = 14;

class CaptureProcessor extends AudioWorkletProcessor {
  #port: MessagePort | undefined;
  #encoder: SpeechEncoder | undefined;
  #isSpeaking = false;
  #stretches = 0;

  constructor() {
    super();
    this.port.onmessage = ({ data }: MessageEvent<ToCapture>) => this.#handle(data);
  }

  process([input]: readonly Float32Array[][]): boolean {
    const samples = input?.[0];
    if (samples === undefined) return true;
    if (this.#stretches++ % LEVEL_EVERY === 0) this.#tell({ level: loudness(samples) });
    if (this.#isSpeaking) this.#encoder?.push(samples, (bytes) => this.#port?.postMessage(bytes, [bytes]));
    return true;
  }

  #handle(message: ToCapture): void {
    switch (message.type) {
      case 'open':
        this.#port = message.port;
        this.#encoder = new SpeechEncoder(sampleRate, message.sampleRate);
        return;
      case 'speaking':
        this.#isSpeaking = message.on;
        return;
    }
  }

  #tell(message: FromCapture): void {
    this.port.postMessage(message);
  }
}

registerProcessor('capture', CaptureProcessor);
