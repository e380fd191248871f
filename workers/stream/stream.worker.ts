// The page's network side: all its streams' sockets. Video goes straight to the video worker, so that a busy page
// delays no picture.
import { Throttle } from '../throttle.ts';
import { ActivityLog } from './activityLog.ts';
import type { FromStreamWorker, StreamId, ToStreamWorker } from './messages.ts';
import { StreamConnection } from './streamConnection.ts';

const ACTIVITY_INTERVAL_MS = 200;

const connections = new Map<StreamId, StreamConnection>();
const activity = new ActivityLog();
const activityReport = new Throttle(ACTIVITY_INTERVAL_MS, () => {
  tellPage({ type: 'activity', streams: activity.take(performance.now()) });
});

self.onmessage = ({ data }: MessageEvent<ToStreamWorker>) => handle(data);
tellPage({ type: 'ready' });

function handle(message: ToStreamWorker): void {
  switch (message.type) {
    case 'open':
      open(message.streamId, message.url, message.videoPort);
      return;
    case 'reconnect':
      connections.get(message.streamId)?.reconnect(message.url);
      return;
    case 'audio-port':
      connections.get(message.streamId)?.setAudioPort(message.port);
      return;
    case 'speech-port':
      connections.get(message.streamId)?.setSpeechPort(message.port);
      return;
    case 'send':
      connections.get(message.streamId)?.send(message.message);
      return;
    case 'close':
      connections.get(message.streamId)?.close();
      connections.delete(message.streamId);
      activity.forget(message.streamId);
      return;
  }
}

function open(streamId: StreamId, url: string, port: MessagePort | undefined): void {
  const connection = new StreamConnection({
    url,
    port,
    connect: (address) => new WebSocket(address),
    sink: {
      opened: () => tellPage({ type: 'opened', streamId }),
      received: (packets, bytes) => {
        activity.add(streamId, { packets, bytes }, performance.now());
        activityReport.request();
      },
      audio: () => tellPage({ type: 'audio', streamId }),
      control: (event) => tellPage({ type: 'control', streamId, event }),
      event: (event) => tellPage({ type: 'event', streamId, event }),
      closed: (code) => tellPage({ type: 'closed', streamId, code }),
      fault: (kind) => tellPage({ type: 'fault', streamId, kind }),
    },
  });
  connections.set(streamId, connection);
}

function tellPage(message: FromStreamWorker): void {
  self.postMessage(message);
}
