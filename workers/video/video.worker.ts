// The page's decoders and canvases, all in one worker: up to eight streams share a clock, and a busy page holds none up.
import type { StreamId } from '../stream/messages.ts';
import { Throttle, workerClock } from '../throttle.ts';
import type { FromVideoWorker, ToVideoWorker } from './messages.ts';
import { PictureMirror } from './paint/pictureMirror.ts';
import { PictureTrace } from './paint/pictureTrace.ts';
import { takeSnapshot } from './paint/snapshot.ts';
import { ProgressLog } from './progressLog.ts';
import { PlaybackClock } from './session/playbackClock.ts';
import { VideoStream, type VideoStreamSink } from './videoStream.ts';

const REPORT_INTERVAL_MS = 200;

const streams = new Map<StreamId, VideoStream>();
/** One for the page: all its streams are of one session. */
const sessionClock = new PlaybackClock();
const progress = new ProgressLog();
/** Pictures to report one by one; undefined while there is no trace. */
let trace: PictureTrace | undefined;

const report = new Throttle(REPORT_INTERVAL_MS, () => {
  const running = progress.take(performance.now());
  if (running.length > 0) tellPage({ type: 'progress', streams: running });
  const pictures = trace?.take(epochNow()) ?? [];
  if (pictures.length > 0) tellPage({ type: 'trace', pictures });
  if (trace?.isHolding === true) report.request();
});

self.onmessage = ({ data }: MessageEvent<ToVideoWorker>) => handle(data);
tellPage({ type: 'ready', webCodecs: typeof VideoDecoder === 'function' });

function handle(message: ToVideoWorker): void {
  switch (message.type) {
    case 'attach':
      attach(message);
      return;
    case 'canvas':
      streams.get(message.streamId)?.replaceCanvas(message.canvas, message.box);
      return;
    case 'resize':
      streams.get(message.streamId)?.resize(message.box);
      return;
    case 'view':
      streams.get(message.streamId)?.setView(message.view);
      return;
    case 'snapshot':
      void answerSnapshot(message);
      return;
    case 'mirror': {
      const { streamId, writable } = message;
      streams.get(streamId)?.setMirror(writable === undefined ? undefined : new PictureMirror(writable));
      return;
    }
    case 'detach':
      streams.get(message.streamId)?.close();
      streams.delete(message.streamId);
      progress.forget(message.streamId);
      return;
    case 'hold':
      if (message.on) sessionClock.hold(performance.now());
      else sessionClock.release();
      return;
    case 'trace':
      trace ??= new PictureTrace({ onNextFrame: (run) => requestAnimationFrame(() => run(epochNow())) });
      return;
  }
}

async function answerSnapshot({
  streamId,
  requestId,
  format,
}: ToVideoWorker & { readonly type: 'snapshot' }): Promise<void> {
  const newest = streams.get(streamId)?.newest;
  const snapshot = newest === undefined ? undefined : await takeSnapshot(newest, format);
  tellPage({ type: 'snapshot', requestId, snapshot });
}

function attach({ streamId, canvas, box, port, pacing }: ToVideoWorker & { readonly type: 'attach' }): void {
  const stream = new VideoStream(canvas, box, {
    createDecoder: (init) => new VideoDecoder(init),
    createChunk: (init) => new EncodedVideoChunk(init),
    isSupported,
    ...workerClock,
    timeOrigin: performance.timeOrigin,
    port,
    sink: sinkOf(streamId),
    hasBursts: pacing !== 'steady',
    sessionClock: pacing === 'clock' ? sessionClock : undefined,
  });
  streams.set(streamId, stream);
}

async function isSupported(config: VideoDecoderConfig): Promise<boolean> {
  try {
    return (await VideoDecoder.isConfigSupported(config)).supported === true;
  } catch {
    return false; // a codec string that the browser does not know
  }
}

function sinkOf(streamId: StreamId): VideoStreamSink {
  return {
    firstPicture: () => tellPage({ type: 'first-picture', streamId }),
    pictureSize: (size) => tellPage({ type: 'picture-size', streamId, size }),
    unit: (unit, isTaken) => progress.unit(streamId, unit, isTaken),
    decoded: () => progress.decoded(streamId),
    shown: ({ mediaTimeUs, deviceTimeMs }) => {
      const nowMs = performance.now();
      progress.shown(streamId, nowMs, deviceTimeMs);
      const { delayMs = 0, decodeMs = 0, showingOffsetMs } = streams.get(streamId) ?? {};
      progress.delayed(streamId, { delayMs, decodeMs, showingOffsetMs });
      trace?.add({ streamId, mediaTimeUs, deviceTimeMs, at: performance.timeOrigin + nowMs });
      report.request();
    },
    leftOut: (times) => trace?.add({ streamId, ...times, at: epochNow(), isSkipped: true }),
    quiet: (event) => {
      // A picture that is reported behind it was shown behind it, and ends it.
      report.flush();
      tellPage({ type: 'quiet', streamId, event });
    },
    ahead: (positionMs) => tellPage({ type: 'ahead', streamId, positionMs }),
    fault: (fault) => tellPage({ type: 'fault', streamId, fault }),
  };
}

/** With fractions: pages and tests compare it with other clocks. */
const epochNow = (): number => performance.timeOrigin + performance.now();

function tellPage(message: FromVideoWorker): void {
  self.postMessage(message);
}
