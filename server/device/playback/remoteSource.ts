// What remote playback asks of the device side: a recording that a terminal keeps, sent while it is played.
import type { WallMs } from '../../../shared/protocol/time.ts';
import type { StreamQuality } from '../../media/channelKey.ts';
import type { HubPacket } from '../../media/hubPacket.ts';

/** Why nothing is played; each is the code of its answer. */
export type RemoteFailure = 'device-offline' | 'device-refused' | 'device-no-answer' | 'nothing-recorded';

export interface RemoteOrder {
  readonly deviceId: string;
  readonly channel: number;
  /** `any` leaves the choice between main and sub stream to the device. */
  readonly quality: StreamQuality | 'any';
  readonly start: WallMs;
  readonly end: WallMs;
  /** What the data is used for; left out: somebody plays it. */
  readonly use?: 'sync';
}

/** Packets have media times that follow the recording's clock. Their device time is the recording's date, or 0. */
export interface RemoteListener {
  packet(packet: HubPacket): void;
  /** Called once, last: the terminal has closed its connection or is gone. Not called after `close`. */
  ended(reason: 'terminal' | 'offline'): void;
}

/** The result of each command says whether the terminal carried it out. */
export interface RemoteFeed {
  /** The end of what the terminal has of the range, if it reported that. */
  readonly recordedEnd: WallMs | undefined;
  play(): Promise<boolean>;
  pause(): Promise<boolean>;
  /** 2, 4, 8 or 16 times. */
  fastForward(speed: number): Promise<boolean>;
  seek(position: WallMs): Promise<boolean>;
  /** Makes the terminal wait, or lets it send again. A few packets may still come. */
  hold(isHeld: boolean): void;
  /** Tells the terminal to stop and closes its connection. Safe to call twice. */
  close(): void;
}

export type RemoteOpening =
  | { readonly ok: true; readonly feed: RemoteFeed }
  | { readonly ok: false; readonly code: RemoteFailure };

export interface RemoteSource {
  /** Settles when the terminal has begun to send, or will not. An aborted opening leaves nothing behind. */
  open(order: RemoteOrder, listener: RemoteListener, signal: AbortSignal): Promise<RemoteOpening>;
}
