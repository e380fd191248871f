// Orders to a terminal, as messages.
import type { TerminalRestart } from '../../../shared/protocol/firmware/firmwareWords.ts';
import type { LiveOrder, MediaAddress, PlaybackControlOrder, PlaybackOrder, PtzOrder } from '../terminalSession.ts';
import type { BodyOf, MessageBody } from './codec/message.ts';
import { LiveCloseType, LiveCommand, LiveDataType, LiveStream } from './codec/messages/live.ts';
import { PtzAdjustment, PtzDirection, PtzSwitch } from './codec/messages/ptz.ts';
import {
  PlaybackCommand,
  PlaybackMode,
  playbackSpeedCode,
  RecordedMedia,
  RecordedStorage,
  RecordedStream,
} from './codec/messages/recordings.ts';

const streamOf = ({ quality }: LiveOrder): number => (quality === 'main' ? LiveStream.Main : LiveStream.Sub);

/** Only TCP: what a lost packet costs in video is more than what its repetition costs. */
const overTcp = ({ host, port }: MediaAddress) => ({ host, tcpPort: port, udpPort: 0 });

export function liveRequest(order: LiveOrder, to: MediaAddress): MessageBody {
  const { channel } = order;
  return {
    kind: 'liveRequest',
    ...overTcp(to),
    channel,
    dataType: LiveDataType.AudioVideo,
    stream: streamOf(order),
  };
}

export function liveStop(order: LiveOrder): MessageBody {
  const { channel } = order;
  return {
    kind: 'liveControl',
    channel,
    command: LiveCommand.Close,
    closeType: LiveCloseType.All,
    stream: streamOf(order),
  };
}

/** Sound both ways. The answer only says that the terminal will dial. */
export function talkRequest(channel: number, to: MediaAddress): MessageBody {
  return {
    kind: 'liveRequest',
    ...overTcp(to),
    channel,
    dataType: LiveDataType.Talk,
    stream: LiveStream.Main,
  };
}

export function talkStop(channel: number): MessageBody {
  return {
    kind: 'liveControl',
    channel,
    command: LiveCommand.CloseTalk,
    closeType: LiveCloseType.All,
    stream: LiveStream.Main,
  };
}

const DIRECTION = {
  stop: PtzDirection.Stop,
  up: PtzDirection.Up,
  down: PtzDirection.Down,
  left: PtzDirection.Left,
  right: PtzDirection.Right,
} as const;
const ADJUSTMENT_KIND = { focus: 'ptzFocus', iris: 'ptzIris', zoom: 'ptzZoom' } as const;
const SWITCH_KIND = { wiper: 'ptzWiper', infrared: 'ptzInfrared' } as const;

export function ptzOrder(channel: number, order: PtzOrder): MessageBody {
  switch (order.kind) {
    case 'rotate': {
      const speed = order.direction === 'stop' ? 0 : order.speed;
      return { kind: 'ptzRotate', channel, direction: DIRECTION[order.direction], speed };
    }
    case 'focus':
    case 'iris':
    case 'zoom': {
      const value = order.increase ? PtzAdjustment.Increase : PtzAdjustment.Decrease;
      return { kind: ADJUSTMENT_KIND[order.kind], channel, value };
    }
    case 'wiper':
    case 'infrared':
      return { kind: SWITCH_KIND[order.kind], channel, value: order.on ? PtzSwitch.Start : PtzSwitch.Stop };
  }
}

const RECORDED_STREAM = {
  any: RecordedStream.Any,
  main: RecordedStream.Main,
  sub: RecordedStream.Sub,
} as const;

/** Everything of the range: sound and pictures, from whichever card, whatever alarm it was recorded for. */
export function recordingsQuery({ channel, quality, start, end }: PlaybackOrder): BodyOf<'queryResources'> {
  return {
    kind: 'queryResources',
    channel,
    start,
    end,
    videoAlarms: 0,
    alarms: 0,
    media: RecordedMedia.AudioVideo,
    stream: RECORDED_STREAM[quality],
    storage: RecordedStorage.Any,
  };
}

export function playbackRequest({ channel, quality, start, end }: PlaybackOrder, to: MediaAddress): MessageBody {
  return {
    kind: 'playbackRequest',
    ...overTcp(to),
    channel,
    media: RecordedMedia.AudioVideo,
    stream: RECORDED_STREAM[quality],
    storage: RecordedStorage.Any,
    mode: PlaybackMode.Normal,
    speed: 0,
    start,
    end,
  };
}

export function playbackControl(channel: number, order: PlaybackControlOrder): MessageBody {
  const control = { kind: 'playbackControl', channel, speed: 0, position: undefined } as const;
  switch (order.kind) {
    case 'play':
      return { ...control, command: PlaybackCommand.Start };
    case 'pause':
      return { ...control, command: PlaybackCommand.Pause };
    case 'stop':
      return { ...control, command: PlaybackCommand.End };
    case 'fast-forward':
      return { ...control, command: PlaybackCommand.FastForward, speed: playbackSpeedCode(order.speed) ?? 0 };
    case 'seek':
      return { ...control, command: PlaybackCommand.Seek, position: order.position };
  }
}

/** 0x8105. */
export function terminalRestart(restart: TerminalRestart): MessageBody {
  return { kind: 'terminalControl', command: restart === 'restart' ? 4 : 5, parameter: '' };
}
