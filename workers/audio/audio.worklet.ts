// The end of a stream's sound, on the browser's audio thread. Chunks come straight from the audio worker.
import type { ToPlayout } from './messages.ts';
import { Playout } from './playout.ts';

class PlayoutProcessor extends AudioWorkletProcessor {
  readonly #playout = new Playout(sampleRate);
  #isClosed = false;

  constructor() {
    super();
    // The page hands over the port that leads to the audio worker; without one, the stream is over.
    this.port.onmessage = ({ data }: MessageEvent<MessagePort | null>) => {
      if (data === null) this.#isClosed = true;
      else data.onmessage = (event: MessageEvent<ToPlayout>) => this.#handle(event.data);
    };
  }

  process(_inputs: readonly Float32Array[][], [output]: readonly Float32Array[][]): boolean {
    const [left, ...others] = output ?? [];
    if (left !== undefined) {
      this.#playout.pull(left);
      for (const channel of others) channel.set(left);
    }
    return !this.#isClosed;
  }

  #handle(message: ToPlayout): void {
    switch (message.type) {
      case 'chunk':
        this.#playout.push(message);
        return;
      case 'delay':
        this.#playout.setDelay(message.delayMs);
        return;
      case 'clear':
        this.#playout.clear();
        return;
    }
  }
}

registerProcessor('playout', PlayoutProcessor);
