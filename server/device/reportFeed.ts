// Reports of signed-in terminals, as one typed feed for every part of the gateway that works with them.
import { Topic } from '../bus/topic.ts';
import type { OnFault } from '../faults/onFault.ts';
import type { Position } from '../store/fleet/positions.ts';
import type { Edition } from './jt808/codec/codes.ts';
import type { BodyOf } from './jt808/codec/message.ts';
import type { PositionItem } from './jt808/codec/messages/position.ts';
import type { TerminalAttributes } from './jt808/codec/messages/terminal.ts';
import type { PositionDetails } from './jt808/codec/positionItems.ts';

/** The device as it was when its terminal signed in: another device may have the ID by now. */
export interface ReportingDevice {
  readonly deviceId: string;
  readonly incarnation: number;
  readonly archiveNumber: number;
}

export interface PositionReport {
  readonly kind: 'position';
  readonly device: ReportingDevice;
  readonly edition: Edition;
  /** The position as it is stored. */
  readonly position: Position;
  /** The additional items as they came. */
  readonly items: readonly PositionItem[];
  readonly details: PositionDetails;
  /** The position was reported as it happened. Otherwise (0x0704) it is of a time without a connection. */
  readonly isLive: boolean;
}

/** Channels have lost their picture, or have it again. Bit n: channel n + 1. */
interface VideoLossReport {
  readonly kind: 'video-loss';
  readonly device: ReportingDevice;
  readonly lostBits: number;
  readonly receivedAtMs: number;
}

/** Messages of a terminal besides positions, as they came. */
type MessageReportKind =
  | 'driverIdentity'
  | 'passengerFlow'
  | 'mediaEvent'
  | 'eventReport'
  | 'questionAnswer'
  | 'passthroughUp'
  | 'upgradeResult'
  | 'fileUploadDone';

export interface MessageReport {
  readonly kind: 'message';
  readonly device: ReportingDevice;
  readonly body: BodyOf<MessageReportKind>;
  readonly receivedAtMs: number;
}

/** A terminal has signed in, or its connection has ended without another one to replace it. */
export interface PresenceReport {
  readonly kind: 'presence';
  readonly device: ReportingDevice;
  readonly isOnline: boolean;
  readonly atMs: number;
}

/** Attributes that a terminal reports after it has signed in, published even if nothing has changed. */
interface AttributesReport {
  readonly kind: 'attributes';
  readonly device: ReportingDevice;
  readonly attributes: TerminalAttributes;
  readonly receivedAtMs: number;
}

export type Report = PositionReport | VideoLossReport | MessageReport | PresenceReport | AttributesReport;

/** All that follow reports, in the order in which a report is worked through. */
const FOLLOWERS = [
  'attributes',
  'board',
  'presence',
  'evidence',
  'geofences',
  'rules',
  'events',
  'tracks',
  'driver answers',
  'firmware situations',
  'firmware tasks',
  'uploads of devices',
] as const;
export type ReportFollower = (typeof FOLLOWERS)[number];

/**
 * A listener's promise settles when the report's content is stored: the terminal gets no success before that. A listener that throws
 * has stored nothing, whether it throws at once or rejects: the terminal gets a failure, and sends the report again.
 */
export class ReportFeed extends Topic<Report, ReportFollower> {
  constructor(onFault: OnFault) {
    super({
      followers: FOLLOWERS,
      faultText: ({ device }) => `a report of ${device.deviceId} could not be used`,
      onFault,
    });
  }
}
