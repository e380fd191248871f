// Reports of signed-in terminals, as one typed feed for every part of the gateway that works with them.
import { inBackground } from '../faults/background.ts';
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

/**
 * A promise settles when the report's content is stored: the terminal gets no success before that. A listener that throws has
 * stored nothing, whether it throws at once or rejects: the terminal gets a failure, and sends the report again.
 */
export type ReportListener = (report: Report) => void | Promise<void>;

/** A listener runs on the thread that relays media, so it must return at once. One that throws affects no other. */
export class ReportFeed {
  readonly #onFault: (error: Error) => void;
  readonly #listeners = new Set<ReportListener>();

  constructor(onFault: (error: Error) => void) {
    this.#onFault = onFault;
  }

  /** Returns a function that removes the listener. */
  subscribe(listener: ReportListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Publishes a report for which the terminal awaits no answer. */
  tell(report: Report): void {
    const kept = this.publish(report);
    if (kept !== undefined) inBackground('a report could not be used', kept, this.#onFault);
  }

  /** Undefined when nothing has to be awaited; otherwise whether all of the report is stored. */
  publish(report: Report): Promise<boolean> | undefined {
    const pending: Promise<void>[] = [];
    for (const listener of this.#listeners) {
      try {
        const kept = listener(report);
        if (kept !== undefined) pending.push(kept);
      } catch (cause) {
        pending.push(Promise.reject(cause));
      }
    }
    return pending.length === 0 ? undefined : this.#allKept(report, pending);
  }

  async #allKept(report: Report, pending: readonly Promise<void>[]): Promise<boolean> {
    const results = await Promise.allSettled(pending);
    const failed = results.filter((result) => result.status === 'rejected');
    for (const { reason } of failed) this.#fail(report, reason);
    return failed.length === 0;
  }

  #fail({ device }: Report, cause: unknown): void {
    this.#onFault(new Error(`a report of ${device.deviceId} could not be used`, { cause }));
  }
}
