// Who takes the files of alarms: the sessions of this folder know the connection, and nothing of events.
import type { ReceivedRanges } from './receivedRanges.ts';

/** Somebody was given this number, to upload files under. */
export interface GivenNumber {
  readonly alarmNumber: string;
  readonly deviceId: string;
  readonly archiveNumber: number;
}

export interface AnnouncedFile {
  readonly name: string;
  readonly sizeBytes: number;
}

export interface OpenAttachment {
  /** What has come of it, over earlier connections as well. */
  readonly received: ReceivedRanges;
  /** False: there is no room for it. */
  write(offset: number, data: Uint8Array): Promise<boolean>;
  /** Keeps what has come, whole or not. True once it would survive a power cut. */
  finish(): Promise<boolean>;
  /** It does not become whole over this connection. What has come is there for another one; safe after `finish`. */
  setAside(): Promise<void>;
}

export interface AttachmentUpload {
  /** A file of the list. `stored`: it is there already. Undefined: there is no room for it. */
  open(file: AnnouncedFile): Promise<OpenAttachment | 'stored' | undefined>;
  /** The connection is over. Never rejects. */
  end(): Promise<void>;
}

export interface AttachmentSink {
  /** Undefined for a number that nobody was given, or whose time is over. */
  find(alarmNumber: string): GivenNumber | undefined;
  /** The terminal has come, and there is no place for what it brings. */
  busy(number: GivenNumber): void;
  /** The terminal has said what it sends; undefined: not now. */
  begin(number: GivenNumber, files: readonly AnnouncedFile[]): Promise<AttachmentUpload | undefined>;
}
