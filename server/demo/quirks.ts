// What real terminals do and a well-behaved simulator would not: each can be asked for by itself.
import type { AlarmBit, GeneralResult, MessageKind } from '../device/jt808/codec/codes.ts';
import type { DamageKind } from './packetDamage.ts';

export interface TerminalQuirks {
  /** Each n-th media packet is lost on the way. */
  readonly loseEveryPacket?: number;
  /** By channel: what the line does to one media packet in so many. */
  readonly damage?: Readonly<Record<number, { readonly kind: DamageKind; readonly everyPacket: number }>>;
  /** Parameter sets come with the first key frame of a connection and never again. */
  readonly setsOnce?: boolean;
  /** The clock is set again and again, by so much each time. */
  readonly clockJumps?: { readonly everyMs: number; readonly byMs: number };
  /** Time stamps of media: the date (unless said), counted from 0, or always the same. */
  readonly timestamps?: 'date' | 'from-zero' | 'frozen';
  /** B pictures are stamped with the time at which they are sent, not with that at which they are shown. */
  readonly decodingTimes?: boolean;
  /** A media connection stays open and falls silent after this. */
  readonly silentAfterMs?: number;
  /** Live requests and talk: refused, accepted without ever dialling, or not answered at all. */
  readonly live?: 'refused' | 'not-dialled' | 'not-answered';
  /** Width of the number in media packets; unless said, that of the edition's own header. Six bytes hold the last 12 digits. */
  readonly simBytes?: 6 | 10;
  /** The first channel is channel 0, in everything that names one. */
  readonly channelsFromZero?: boolean;
  /** Bytes of each write to a media socket, whatever packets they cut. */
  readonly chunkBytes?: number;
  /** The four bytes that HiSilicon's chips put before sound. */
  readonly hiSiliconHeader?: boolean;
  readonly audio?: 'A-law' | 'µ-law' | 'none';
  /** Every second package of a long answer is kept back until it is asked for. */
  readonly losesPackages?: boolean;
  /** Answers to questions beyond sign-in: none at all. */
  readonly mute?: boolean;
  readonly card?: StorageQuirks;
  /** Orders that are answered with this result (0x0001), and not obeyed. */
  readonly refusals?: Partial<Record<MessageKind, GeneralResult>>;
  readonly alarmStorm?: AlarmStorm;
  /** `never-set`: it counts from the beginning of 1970. Below 0 it is behind. */
  readonly clock?: 'never-set' | 'next-year' | { readonly aheadSeconds: number };
  /** Pictures are sent that are none. */
  readonly pictures?: 'not-jpeg';
  readonly attachments?: AttachmentQuirks;
  readonly firmware?: FirmwareQuirks;
  readonly uploads?: UploadQuirks;
}

/** What terminals do with firmware. To refuse it, see `refusals`. */
export interface FirmwareQuirks {
  /** Every n-th package is acknowledged and forgotten; when the last has come, it is asked for (0x0005). */
  readonly forgetEveryPackage?: number;
  /**
   * Unless said, an image is installed and success reported. `unreported`: installed, without a word (0x0108). `stays`: neither.
   * `false-success`: success is reported, and the old version stays. `failed`: the terminal says so.
   */
  readonly outcome?: 'unreported' | 'stays' | 'false-success' | 'failed';
  /** It works on with its old version for so long, over lost connections too, before it restarts with the new one. */
  readonly installMs?: number;
  /** It restarts a second time right after it has signed in, or never comes back. */
  readonly afterReboot?: 'again' | 'never-back';
  /** Downloads ask for so much at once; over FTP they break off after so much, and go on behind it. */
  readonly rangeBytes?: number;
  /** Expected in 0x8108; 5 unless said. */
  readonly manufacturerBytes?: 11;
}

/** Positions beyond the usual ones, as from a loose contact. */
export interface AlarmStorm {
  readonly positionsPerSecond: number;
  /** They are set in every other of these positions. */
  readonly bits: readonly AlarmBit[];
  /** Each has an active-safety alarm of its own as well. */
  readonly hasSafetyAlarms?: boolean;
}

/** What terminals do when they upload the files of an alarm. */
export interface AttachmentQuirks {
  /** Each n-th block of a file is lost, or comes twice, when the file is sent for the first time. */
  readonly loseEveryBlock?: number;
  readonly doubleEveryBlock?: number;
  /** By so much the sizes that are said differ from those of the files. */
  readonly sizeErrorBytes?: number;
  /** Goes on with blocks behind the end of the file until the connection is closed. */
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
  /** To the question what there is. Empty: nothing, ever. */
  readonly list?: 'refused' | 'not-answered' | 'empty' | 'newest-first';
  /** To the request to play: unless said, the list of what will come. `media-first`: dialled, and never answered. */
  readonly playback?: 'general-reply' | 'refused' | 'not-answered' | 'not-dialled' | 'media-first';
  /** To pause, speed and seek. `disobeyed`: answered with success, and nothing done. */
  readonly control?: 'refused' | 'not-answered' | 'disobeyed';
  /** The connection is closed after so much of the video, however long it took. */
  readonly breaksOffAfterMs?: number;
  /** Nothing more comes from then on. */
  readonly fallsSilentAfterMs?: number;
  /** Sends as fast as the network takes it. */
  readonly isUnpaced?: boolean;
}

/** What terminals do when they upload recordings over FTP (0x9206). */
export interface UploadQuirks {
  /** Of the files: MP4 unless said, the bare video, or the packets of JT/T 1078 with video and sound. */
  readonly format?: 'mp4' | 'raw' | 'packets';
  /** Files that are none. */
  readonly isGarbage?: boolean;
  /** Of each file on the card; 1 unless said. */
  readonly parts?: number;
  /** Only PORT: the platform has to dial. */
  readonly isActive?: boolean;
  /** Of the first file, when it is sent for the first time: the connections are reset. */
  readonly breaksOffAfterBytes?: number;
  /** What it does then: unless said, it reports a failure. */
  readonly resumes?: 'rest' | 'append' | 'anew';
  readonly bytesPerSecond?: number;
  /** Never says that all is sent (0x1206). */
  readonly neverDone?: boolean;
}
