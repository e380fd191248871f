// What a terminal is asked to upload (0x9206), and what becomes of it.
import type { WallMs } from '../../../shared/protocol/time.ts';
import type { StreamQuality } from '../../media/channelKey.ts';
import { wireChannel } from '../channelNumbers.ts';
import type { BodyOf } from '../jt808/codec/message.ts';
import { RecordedMedia, RecordedStorage, RecordedStream } from '../jt808/codec/messages/recordings.ts';
import type { CommandFailure, CommandResult, TerminalSession } from '../terminalSession.ts';

/** Where it brings the files, over FTP. */
interface UploadTarget {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  /** A folder of this request alone: terminals name files as they like. */
  readonly path: string;
}

/** The networks over which it may upload. */
interface UploadNetworks {
  readonly wifi: boolean;
  readonly lan: boolean;
  readonly mobile: boolean;
}

export interface UploadOrder {
  readonly target: UploadTarget;
  readonly channel: number;
  /** `any` leaves the choice to the terminal. */
  readonly quality: StreamQuality | 'any';
  /** The device's clock. */
  readonly start: WallMs;
  readonly end: WallMs;
  readonly networks: UploadNetworks;
}

export type UploadEnd =
  /** 0x1206: it says that all is sent. What came decides. */
  | { readonly kind: 'done' }
  /** 0x1206 with a failure. */
  | { readonly kind: 'failed' }
  /** It did not accept: refused, without an answer, or not connected. */
  | { readonly kind: 'not-accepted'; readonly failure: CommandFailure }
  /** Neither bytes nor 0x1206 for too long. */
  | { readonly kind: 'silent' }
  | { readonly kind: 'canceled' };

/** One request, until its `done` has settled. */
export interface UploadRequest {
  /** Whether the terminal will upload. */
  readonly accepted: Promise<CommandResult>;
  readonly done: Promise<UploadEnd>;
  /** Bytes have come: call it for each chunk. A terminal that uploads has accepted, whatever it answers. */
  noteBytes(): void;
  /** Nothing is expected until it is resumed. */
  pause(): Promise<CommandResult>;
  resume(): Promise<CommandResult>;
  /** Settles `done` at once, and tells the terminal. */
  cancel(): Promise<CommandResult>;
}

const STREAM = { any: RecordedStream.Any, main: RecordedStream.Main, sub: RecordedStream.Sub } as const;
const WIFI_BIT = 1;
const LAN_BIT = 2;
const MOBILE_BIT = 4;

export const UploadCommand = { Pause: 0, Continue: 1, Cancel: 2 } as const;

/** Sound and pictures, from whichever card, whatever alarm they were recorded for. */
export function uploadMessage(
  session: Pick<TerminalSession, 'channelsFromZero'>,
  { target, channel, quality, start, end, networks }: UploadOrder,
): BodyOf<'fileUpload'> {
  return {
    kind: 'fileUpload',
    host: target.host,
    port: target.port,
    user: target.user,
    password: target.password,
    path: target.path,
    channel: wireChannel(session, channel),
    start,
    end,
    videoAlarms: 0,
    alarms: 0,
    media: RecordedMedia.AudioVideo,
    stream: STREAM[quality],
    storage: RecordedStorage.Any,
    condition: (networks.wifi ? WIFI_BIT : 0) | (networks.lan ? LAN_BIT : 0) | (networks.mobile ? MOBILE_BIT : 0),
  };
}
