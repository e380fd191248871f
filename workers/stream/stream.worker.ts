// The page's network side: all its streams' sockets. Video goes straight to the video worker, so that a busy page
// delays no picture.
import { Throttle } from '../throttle.ts';
import { ActivityLog } from './activityLog.ts';
import type { ConnectionNumber, FromStreamWorker, StreamId, ToStreamWorker } from './messages.ts';
import { StreamConnection } from './streamConnection.ts';

const ACTIVITY_INTERVAL_MS = 200;

const streams = new Map<StreamId, { readonly line: StreamConnection; connection: ConnectionNumber }>();
const activity = new ActivityLog();
const activityReport = new Throttle(ACTIVITY_INTERVAL_MS, () => {
  tellPage({ type: 'activity', streams: activity.take(performance.now()) });
});

self.onmessage = ({ data }: MessageEvent<ToStreamWorker>) => handle(data);
tellPage({ type: 'ready' });

function handle(message: ToStreamWorker): void {
  switch (message.type) {
    case 'open':
      open(message);
      return;
    case 'reconnect':
      reconnect(message);
      return;
    case 'audio-port':
      streams.get(message.streamId)?.line.setAudioPort(message.port);
      return;
    case 'speech-port':
      streams.get(message.streamId)?.line.setSpeechPort(message.port);
      return;
    case 'send':
      streams.get(message.streamId)?.line.send(message.message);
      return;
    case 'close':
      streams.get(message.streamId)?.line.close();
      streams.delete(message.streamId);
      activity.forget(message.streamId);
      return;
  }
}

type Opening = ToStreamWorker & { readonly type: 'open' };
type Reconnection = ToStreamWorker & { readonly type: 'reconnect' };

function open({ streamId, connection, url, videoPort }: Opening): void {
  // The current connection: nothing more is reported on one that was left.
  const name = () => ({ streamId, connection: streams.get(streamId)?.connection ?? connection });
  const line = new StreamConnection({
    url,
    port: videoPort,
    connect: (address) => new WebSocket(address),
    sink: {
      opened: () => tellPage({ type: 'opened', ...name() }),
      received: (packets, bytes) => {
        activity.add(streamId, { packets, bytes }, performance.now());
        activityReport.request();
      },
      audio: () => tellPage({ type: 'audio', streamId }),
      control: (event) => tellPage({ type: 'control', event, ...name() }),
      event: (event) => tellPage({ type: 'event', event, ...name() }),
      closed: (code) => tellPage({ type: 'closed', code, ...name() }),
      fault: (kind) => tellPage({ type: 'fault', kind, ...name() }),
    },
  });
  streams.set(streamId, { line, connection });
}

function reconnect({ streamId, connection, url }: Reconnection): void {
  const stream = streams.get(streamId);
  if (stream === undefined) return;
  stream.connection = connection;
  stream.line.reconnect(url);
}

function tellPage(message: FromStreamWorker): void {
  self.postMessage(message);
}
