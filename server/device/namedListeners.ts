import { MediaPort } from './jt1078/mediaExpectations.ts';
import type { TcpListener } from './tcpServer.ts';

type DevicePort = 'jt808' | 'attachments' | `jt1078-${Lowercase<keyof typeof MediaPort>}`;

export interface NamedListener extends Pick<TcpListener, 'port' | 'isListening'> {
  readonly name: DevicePort;
}

interface DeviceListeners {
  readonly signalling: TcpListener;
  /** By MediaPort. */
  readonly media: readonly TcpListener[];
  /** None or one. */
  readonly attachments: readonly TcpListener[];
}

const MEDIA_NAMES = {
  [MediaPort.Main]: 'jt1078-main',
  [MediaPort.Sub]: 'jt1078-sub',
  [MediaPort.Playback]: 'jt1078-playback',
  [MediaPort.Talk]: 'jt1078-talk',
} as const satisfies Record<MediaPort, DevicePort>;

/** What listens now, each by what it is for. */
export function namedListeners({ signalling, media, attachments }: DeviceListeners): readonly NamedListener[] {
  const named = (name: DevicePort, { port, isListening }: TcpListener): NamedListener => ({ name, port, isListening });
  return [
    named('jt808', signalling),
    ...Object.values(MediaPort).flatMap((at) => media.slice(at, at + 1).map((each) => named(MEDIA_NAMES[at], each))),
    ...attachments.map((each) => named('attachments', each)),
  ];
}
