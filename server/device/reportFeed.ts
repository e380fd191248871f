// What signed-in terminals report, as one feed of typed reports for every part of the gateway that works with them.
import { inBackground } from '../faults/background.ts';
import type { Position } from '../store/fleet/positions.ts';
import type { Edition } from './jt808/codec/codes.ts';
import type { BodyOf } from './jt808/codec/message.ts';
import type { PositionItem } from './jt808/codec/messages/position.ts';
import type { TerminalAttributes } from './jt808/codec/messages/terminal.ts';
import type { PositionDetails } from './jt808/codec/positionItems.ts';

/** The device as it was when its terminal signed in: another one may have the id by now. */
export interface ReportingDevice {
  readonly deviceId: string;
  readonly incarnation: number;
  readonly archiveNumber: number;
}

export interface PositionReport {
  readonly kind: 'position';
  readonly device: ReportingDevice;
  readonly edition: Edition;
  /** As it is stored. */
  readonly position: Position;
  /** The additional items as they came, and those of them that are understood. */
  readonly items: readonly PositionItem[];
  readonly details: PositionDetails;
  /** Reported as it happened. Otherwise (0x0704) of a time without a connection. */
  readonly isLive: boolean;
}

/** Channels have lost their picture, or have it back. Bit n: channel n + 1. */
interface VideoLossReport {
  readonly kind: 'video-loss';
  readonly device: ReportingDevice;
  readonly lostBits: number;
  readonly receivedAtMs: number;
}

/** What a terminal says beside positions, as it came. */
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

/** A terminal has signed in, or its connection has ended without another one in its place. */
export interface PresenceReport {
  readonly kind: 'presence';
  readonly device: ReportingDevice;
  readonly isOnline: boolean;
  readonly atMs: number;
}

/** What a terminal says of itself after it has signed in, told even when nothing has changed. */
interface AttributesReport {
  readonly kind: 'attributes';
  readonly device: ReportingDevice;
  readonly attributes: TerminalAttributes;
  readonly receivedAtMs: number;
}

export type Report = PositionReport | VideoLossReport | MessageReport | PresenceReport | AttributesReport;

/**
 * A promise settles when what the report brought is kept: the terminal hears of success no sooner. A listener that throws has kept
 * nothing, whether it throws at once or rejects: the terminal hears of a failure, and sends the report again.
 */
export type ReportListener = (report: Report) => void | Promise<void>;

/** A listener runs on the thread that relays media: it takes note and returns. One that throws affects no other. */
export class ReportFeed {
  readonly #onFault: (error: Error) => void;
  readonly #listeners = new Set<ReportListener>();

  constructor(onFault: (error: Error) => void) {
    this.#onFault = onFault;
  }

  /** Returns its own removal. */
  subscribe(listener: ReportListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Of what the terminal waits for no answer to. */
  tell(report: Report): void {
    const kept = this.publish(report);
    if (kept !== undefined) inBackground('a report could not be used', kept, this.#onFault);
  }

  /** Undefined when nothing has to be waited for; otherwise whether all of it is kept. */
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
