// Orders to a terminal, as messages.
import type { LiveOrder, MediaAddress, PtzOrder } from '../terminalSession.ts';
import type { MessageBody } from './codec/message.ts';
import { LiveCloseType, LiveCommand, LiveDataType, LiveStream } from './codec/messages/live.ts';
import { PtzAdjustment, PtzDirection, PtzSwitch } from './codec/messages/ptz.ts';

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
