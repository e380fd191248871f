// Behavior of real terminals that a well-behaved simulator would not have: each quirk can be requested by itself.
import type { AlarmBit, GeneralResult, MessageKind } from '../server/device/jt808/codec/codes.ts';
import type { DamageKind } from './packetDamage.ts';

export interface TerminalQuirks {
  /** Every n-th media packet is lost on the way. */
  readonly loseEveryPacket?: number;
  /** What the line does to every n-th media packet, by channel. */
  readonly damage?: Readonly<Record<number, { readonly kind: DamageKind; readonly everyPacket: number }>>;
  /** Parameter sets come with the first key frame of a connection and never again. */
  readonly setsOnce?: boolean;
  /** The clock is set repeatedly, by this much each time. */
  readonly clockJumps?: { readonly everyMs: number; readonly byMs: number };
  /** Time stamps of media: the date (the default), counted from 0, or always the same. */
  readonly timestamps?: 'date' | 'from-zero' | 'frozen';
  /** B pictures are stamped with the time at which they are sent instead of the time at which they are shown. */
  readonly decodingTimes?: boolean;
  /** A media connection stays open and falls silent after this. */
  readonly silentAfterMs?: number;
  /** Live requests and talk are refused, accepted without ever dialing, or not answered at all. */
  readonly live?: 'refused' | 'not-dialled' | 'not-answered';
  /** Width of the number in media packets; by default that of the edition's own header. Six bytes hold the last 12 digits. */
  readonly simBytes?: 6 | 10;
  /** Channels count from 0 in everything that names one. */
  readonly channelsFromZero?: boolean;
  /** Bytes of each write to a media socket, regardless of packet boundaries. */
  readonly chunkBytes?: number;
  /** Sends the four bytes that HiSilicon's chips put before sound. */
  readonly hiSiliconHeader?: boolean;
  readonly audio?: 'A-law' | 'µ-law' | 'none';
  /** Every second package of a long answer is kept back until it is requested. */
  readonly losesPackages?: boolean;
  /** No question after sign-in is answered. */
  readonly mute?: boolean;
  readonly card?: StorageQuirks;
  /** Orders that are answered with this result (0x0001), and not obeyed. */
  readonly refusals?: Partial<Record<MessageKind, GeneralResult>>;
  readonly alarmStorm?: AlarmStorm;
  /** `never-set`: the clock counts from the beginning of 1970. If `aheadSeconds` is below 0, the clock is behind. */
  readonly clock?: 'never-set' | 'next-year' | { readonly aheadSeconds: number };
  /** Files are sent as pictures that are not pictures. */
  readonly pictures?: 'not-jpeg';
  readonly attachments?: AttachmentQuirks;
  readonly firmware?: FirmwareQuirks;
  readonly uploads?: UploadQuirks;
}

/** What terminals do with firmware. To refuse it, see `refusals`. */
export interface FirmwareQuirks {
  /** Every n-th package is acknowledged and forgotten; when the last has come, it is requested again (0x0005). */
  readonly forgetEveryPackage?: number;
  /**
   * By default, an image is installed and success reported. `unreported`: installed, without a report (0x0108). `stays`: neither.
   * `false-success`: success is reported, but the old version stays. `failed`: the terminal reports the failure.
   */
  readonly outcome?: 'unreported' | 'stays' | 'false-success' | 'failed';
  /** The terminal works on with its old version for this long, over lost connections too, before it restarts with the new one. */
  readonly installMs?: number;
  /** The terminal restarts a second time right after it has signed in, or never comes back. */
  readonly afterReboot?: 'again' | 'never-back';
  /** Downloads request this many bytes at once; over FTP they break off after this many, and resume from there. */
  readonly rangeBytes?: number;
  /** Width of the manufacturer that is expected in 0x8108; 5 by default. */
  readonly manufacturerBytes?: 11;
}

/** Positions in addition to the usual ones, as from a loose contact. */
export interface AlarmStorm {
  readonly positionsPerSecond: number;
  /** The bits are set in every other of these positions. */
  readonly bits: readonly AlarmBit[];
  /** Each position also has an active-safety alarm of its own. */
  readonly hasSafetyAlarms?: boolean;
}

/** What terminals do when they upload the files of an alarm. */
export interface AttachmentQuirks {
  /** Every n-th block of a file is lost, or comes twice, when the file is sent for the first time. */
  readonly loseEveryBlock?: number;
  readonly doubleEveryBlock?: number;
  /** By how much the announced sizes differ from those of the files. */
  readonly sizeErrorBytes?: number;
  /** Continues with blocks after the end of the file until the connection is closed. */
  readonly isEndless?: boolean;
  /** Names the alarm by the mark of another terminal. */
  readonly hasForeignMark?: boolean;
  /** Never says that a file was sent (0x1212). */
  readonly neverDone?: boolean;
}

/** What terminals do with what they have recorded. */
export interface StorageQuirks {
  /** Every answer about recordings comes this late. */
  readonly answerAfterMs?: number;
  /** Answers to the question for the list of recordings. `empty`: there are never any. */
  readonly list?: 'refused' | 'not-answered' | 'empty' | 'newest-first';
  /** Answers to the request to play; by default, the list of what will come. `media-first`: the terminal dials, but never answers. */
  readonly playback?: 'general-reply' | 'refused' | 'not-answered' | 'not-dialled' | 'media-first';
  /** Answers to pause, speed and seek. `disobeyed`: answered with success, but nothing is done. */
  readonly control?: 'refused' | 'not-answered' | 'disobeyed';
  /** The connection is closed after this much video, however long it took. */
  readonly breaksOffAfterMs?: number;
  /** Nothing more comes after this time. */
  readonly fallsSilentAfterMs?: number;
  /** Sends as fast as the network takes it. */
  readonly isUnpaced?: boolean;
}

/** What terminals do when they upload recordings over FTP (0x9206). */
export interface UploadQuirks {
  /** Format of the files: MP4 by default, the bare video, or the packets of JT/T 1078 with video and sound. */
  readonly format?: 'mp4' | 'raw' | 'packets';
  /** The files contain garbage. */
  readonly isGarbage?: boolean;
  /** Number of files sent for each file on the card; 1 by default. */
  readonly parts?: number;
  /** Supports PORT only: the platform has to dial. */
  readonly isActive?: boolean;
  /** Bytes of the first file after which its first transfer breaks off: the connections are reset. */
  readonly breaksOffAfterBytes?: number;
  /** What the terminal does after that; by default, it reports a failure. */
  readonly resumes?: 'rest' | 'append' | 'anew';
  readonly bytesPerSecond?: number;
  /** Never says that all is sent (0x1206). */
  readonly neverDone?: boolean;
}
