// Shapes of the contract's calls (docs/contract.md), as both sides see them.
import type { WallSeconds } from './time.ts';

/** Every JSON answer. `error: true` comes with a fitting HTTP status; `code` is a key that the pages can translate. */
export interface Envelope<Data> {
  readonly error: boolean;
  readonly code?: string;
  readonly message?: string;
  readonly data?: Data;
}

export interface DeviceInfo {
  readonly chn: number;
  readonly installchs: string;
  readonly livechs: string;
  /** Cameras that this caller may move, one character a channel. An addition of ours; absent means none. */
  readonly ptzchs?: string;
  /** Channels that this caller may talk to, likewise. */
  readonly talkchs?: string;
  /** Channels whose recordings this caller may export, likewise. */
  readonly exportchs?: string;
  /** The device's name and its plate number, '' where it has none. Additions of ours, as is the rest. */
  readonly name?: string;
  readonly plate?: string;
  /** Whether its terminal is connected now; absent where the server doesn't say. */
  readonly online?: boolean;
  /** When the device was last heard of, in milliseconds since the epoch; 0 or absent: not known. */
  readonly seenAtMs?: number;
}

/** What a link to a video page authenticates with. */
export interface LinkCredential {
  readonly username: string;
  readonly credential: string;
}

export const StreamPath = {
  Live: '/stream/liveview/video.fuho',
  LocalPlayback: '/stream/playback/local/video.fuho',
  RemotePlayback: '/stream/playback/remote/video.fuho',
} as const;

/** The signed-in user, or `login: false` alone. */
export interface UserStatus {
  readonly login: boolean;
  readonly username: string;
  readonly permission: readonly string[];
  /** Serial number of the current member group; 0 for none. */
  readonly membergroup: number;
  /** Days that the group's recordings are kept; 0 for no limit to show. */
  readonly retentiondays: number;
  /** When the group's records expire; 0 for never. */
  readonly expirydate: WallSeconds;
  /** IANA name of the member's time zone; '' or absent for the browser's own. An addition of ours. */
  readonly timezone?: string;
}

export interface MemberGroup {
  readonly serialno: number;
  readonly name: string;
}

/** Answer of sign-in and sign-out. */
export interface LoginState {
  readonly login: boolean;
}
