// The page's sound, decoded beside it: frames come straight from the stream worker, samples go straight to the worklets.
import type { StreamId } from '../stream/messages.ts';
import { workerClock } from '../throttle.ts';
import { AudioStream } from './audioStream.ts';
import type { FromAudioWorker, ToAudioWorker } from './messages.ts';

const streams = new Map<StreamId, AudioStream>();

self.onmessage = ({ data }: MessageEvent<ToAudioWorker>) => handle(data);
tellPage({ type: 'ready' });

function handle(message: ToAudioWorker): void {
  const { streamId } = message;
  switch (message.type) {
    case 'attach':
      attach(message);
      return;
    case 'audible':
      streams.get(streamId)?.setAudible(message.on);
      return;
    case 'delay':
      streams.get(streamId)?.setDelay(message.pictures);
      return;
    case 'hold':
      streams.get(streamId)?.hold(message.on);
      return;
    case 'detach':
      streams.get(streamId)?.close();
      streams.delete(streamId);
      return;
  }
}

function attach({ streamId, port, output, isSession }: ToAudioWorker & { readonly type: 'attach' }): void {
  const stream = new AudioStream({
    port,
    output,
    isSession,
    ...workerClock,
    timeOrigin: performance.timeOrigin,
    createDecoder: typeof AudioDecoder === 'function' ? (init) => new AudioDecoder(init) : undefined,
    createChunk: (init) => new EncodedAudioChunk(init),
    onUnsupported: (codec) => tellPage({ type: 'unsupported', streamId, codec }),
  });
  streams.set(streamId, stream);
}

function tellPage(message: FromAudioWorker): void {
  self.postMessage(message);
}
