// Writes one clip as a fragmented MP4 file, piece by piece as its pictures and its sound come. It never waits: its caller takes the
// finished bytes. It holds one fragment, and a number for each earlier one, for the index at the end.
import type { Dependence } from '../../../../shared/protocol/stream/streamPacket.ts';
import { type FragmentSample, fragmentHead, mediaHead, type SampleRun } from './fragment.ts';
import { fragmentIndex, type RandomAccessPoint } from './fragmentIndex.ts';
import { GrowingBytes } from './growingBytes.ts';
import { movieHead } from './movieHead.ts';
import { settledPictures, timePictures } from './pictureTimes.ts';
import {
  SOUND_TRACK_ID,
  type SoundFrame,
  type SoundTrackConfig,
  VIDEO_TIMESCALE,
  VIDEO_TRACK_ID,
  type VideoTrack,
} from './tracks.ts';

export interface Mp4Settings {
  readonly video: VideoTrack;
  readonly sound: SoundTrackConfig | undefined;
  /** Start of the clip, and its planned duration. */
  readonly startMs: number;
  readonly durationMs: number;
  /** Duration of the pictures before the clip's start: they are decoded and not shown. Missing: there are none. */
  readonly leadUs?: number;
}

export interface Picture {
  /** An access unit, Annex B. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Time of display, from the clip's start; below 0, but not before `leadUs`, where the picture is not shown. */
  readonly timeUs: number;
  readonly isKey: boolean;
  /** A leading picture follows a key frame and is shown before it; there may be some only after an entry. */
  readonly dependence?: Dependence | undefined;
}

/**
 * Time in a fragment from which a key frame ends it: fragments last two seconds where a camera sends a key frame every second or every
 * other second.
 */
const FRAGMENT_TICKS = 1.5 * VIDEO_TIMESCALE;
/** A larger group of pictures is divided, since a group is held in memory. */
const MAX_GROUP_BYTES = 4 * 1024 * 1024;
/**
 * Bytes of samples that a clip's head lists at most, which is the whole of most clips: some players take what such a head lists for the whole
 * clip. A camera with gradual refresh sends no key frames at which fragments could begin.
 */
const MAX_LISTED_BYTES = 16 * 1024 * 1024;
/** Sound without pictures gets fragments of its own after this time. */
const MAX_SOUND_S = 10;
const MAX_DURATION = 0xffff_ffff;
/** Duration of a clip's last picture where the clip's length ends before it. */
const LAST_PICTURE_TICKS = 0.04 * VIDEO_TIMESCALE;
const MIN_CAPACITY = 64 * 1024;

/** A picture whose group is not complete yet: its decoding time is known only then. */
interface HeldPicture {
  readonly bytes: number;
  /** Time of display as requested. */
  readonly shown: number;
  readonly isKey: boolean;
}

interface TimedPicture {
  readonly bytes: number;
  readonly isKey: boolean;
  readonly decoded: number;
  readonly shown: number;
}

export class Mp4Writer {
  readonly #settings: Mp4Settings;
  readonly #isLeftOut: (header: number) => boolean;
  /** The clip's start, on the pictures' time line. */
  readonly #lead: number;
  readonly #points: RandomAccessPoint[] = [];
  /** Bytes of the file that the caller has not taken yet. */
  #file = new GrowingBytes(MIN_CAPACITY);
  /** Bytes of the file so far. */
  #offset = 0;
  #fragments = 0;
  /** Delay of all display times, so that nothing is shown before it is decoded; known with the first fragment. */
  #delay: number | undefined;

  /** Bytes of the timed pictures, followed by those of the held ones. */
  readonly #data = new GrowingBytes(MIN_CAPACITY);
  #timed: TimedPicture[] = [];
  #held: HeldPicture[] = [];
  #heldBytes = 0;
  /** Place among the held pictures of a key frame whose leading pictures may still come. */
  #nextGroupAt: number | undefined;
  /** Earliest decoding time of the next picture. */
  #freeTime = 0;

  #sound: SoundFrame[] = [];
  /** Samples of the sound that is written, and of the sound that waits for its fragment. */
  #soundTime = 0;
  #waitingSound = 0;

  constructor(settings: Mp4Settings) {
    this.#settings = settings;
    this.#lead = toTicks(settings.leadUs ?? 0);
    this.#isLeftOut = settings.video.family === 'avc' ? isAvcFilling : isHevcFilling;
  }

  /** Adds a picture; they come in decoding order, and the first is a key frame. An empty one is left out. */
  addPicture({ bytes: accessUnit, timeUs, isKey, dependence }: Picture): void {
    const shown = this.#lead + toTicks(timeUs);
    if (dependence !== 'leading') this.#endGroup();
    if (!isKey && shown >= this.#lead && this.#isFull) this.#divideGroup(shown);
    const place = this.#held.length;
    const bytes = this.#data.appendUnits(accessUnit, this.#isLeftOut);
    if (bytes === 0) return;
    this.#held.push({ bytes, shown, isKey });
    this.#heldBytes += bytes;
    if (isKey && place > 0) this.#nextGroupAt = place;
    if (isKey && dependence !== 'entry') this.#endGroup();
  }

  /** Adds sound, frame by frame without a gap, from the clip's start on. */
  addSound(frame: SoundFrame): void {
    this.#sound.push(frame);
    this.#waitingSound += frame.samples;
    const most = MAX_SOUND_S * (this.#settings.sound?.sampleRate ?? 0);
    if (this.#waitingSound >= most && this.#delay !== undefined) this.#writeFragment([], 0);
  }

  /** The finished bytes of the file, once there are `leastBytes` of them. They are not changed any more. */
  take(leastBytes = 1): Uint8Array<ArrayBuffer> | undefined {
    if (this.#file.length < leastBytes) return undefined;
    const bytes = this.#file.take();
    // The next piece is about as large, so this one need not grow.
    this.#file = new GrowingBytes(Math.max(MIN_CAPACITY, Math.ceil(bytes.byteLength * 1.25)));
    return bytes;
  }

  /** Ends the file. */
  finish(): void {
    const end = this.#lead + toTicks(this.#settings.durationMs * 1000);
    this.#endGroup();
    this.#time(this.#held.length);
    const last = this.#timed.at(-1);
    if (last !== undefined) this.#writePictures(end > last.decoded ? end : last.decoded + LAST_PICTURE_TICKS);
    if (this.#sound.length > 0 && this.#delay !== undefined) this.#writeFragment([], 0);
    if (this.#points.length > 0) this.#write(fragmentIndex(VIDEO_TRACK_ID, this.#points));
  }

  /** Whether samples are to be listed in the file's head, which isn't written yet. */
  get #isListing(): boolean {
    return this.#lead > 0 && this.#delay === undefined;
  }

  get #isFull(): boolean {
    return this.#isListing ? this.#data.length >= MAX_LISTED_BYTES : this.#heldBytes >= MAX_GROUP_BYTES;
  }

  /** Ends the group before the held key frame, once no picture is to come that is shown between the two. */
  #endGroup(): void {
    const at = this.#nextGroupAt;
    if (at === undefined) return;
    this.#nextGroupAt = undefined;
    const next = Math.min(...this.#held.slice(at).map(({ shown }) => shown));
    this.#time(at);
    const [first] = this.#timed;
    const isEnough = first !== undefined && next - first.decoded >= FRAGMENT_TICKS;
    if (isEnough && !this.#isListing) this.#writePictures(next);
  }

  #divideGroup(next: number): void {
    this.#endGroup();
    const times = this.#held.map(({ shown }) => shown);
    // Display times in no possible order are put in one, since memory is limited.
    const settled = settledPictures(times) || times.length;
    this.#time(settled);
    this.#writePictures(Math.min(next, ...times.slice(settled)));
  }

  /** Sets the decoding times of the first held pictures. */
  #time(count: number): void {
    const group = this.#held.slice(0, count);
    const wanted = group.map((picture) => picture.shown);
    // The first fragment's order determines the delay; later fragments use it too.
    const delay = this.#delay ?? Number.POSITIVE_INFINITY;
    const { decoded, shown, end } = timePictures(wanted, { from: this.#freeTime, delay });
    for (const [place, { bytes, isKey }] of group.entries()) {
      this.#timed.push({ bytes, isKey, decoded: decoded[place] ?? 0, shown: shown[place] ?? 0 });
      this.#heldBytes -= bytes;
    }
    this.#held = this.#held.slice(count);
    this.#freeTime = end;
  }

  /**
   * Writes the timed pictures as a fragment, with the sound so far; the next picture is decoded at `next`, or later if that time is
   * taken.
   */
  #writePictures(next: number): void {
    this.#freeTime = Math.max(this.#freeTime, next);
    const pictures = this.#timed;
    const [first] = pictures;
    if (first === undefined) return;
    this.#timed = [];
    const isBeginning = this.#delay === undefined;
    // Lists in a head count from 0.
    if (isBeginning && this.#lead > 0) pictures[0] = { ...first, decoded: 0 };
    this.#delay ??= Math.max(0, ...pictures.map(({ decoded, shown }) => decoded - shown));
    const samples = videoSamples(pictures, this.#delay, this.#freeTime);
    const dataBytes = this.#data.length - this.#heldBytes;
    if (isBeginning && this.#lead > 0) {
      this.#writeListed(samples, dataBytes);
      return;
    }
    if (isBeginning) this.#write(movieHead({ ...this.#settings, videoDelay: this.#delay }));
    if (first.isKey) this.#points.push({ time: first.shown + this.#delay, moofOffset: this.#offset });
    this.#writeFragment([{ trackId: VIDEO_TRACK_ID, decodeTime: first.decoded, samples }], dataBytes);
  }

  /** Writes the file's head and the samples it lists: players don't hide pictures before a clip's start that are in fragments. */
  #writeListed(video: readonly FragmentSample[], dataBytes: number): void {
    const frames = this.#takeSound();
    const videoDelay = (this.#delay ?? 0) + this.#lead;
    this.#write(movieHead({ ...this.#settings, videoDelay, listed: { video, sound: frames.map(soundSample) } }));
    this.#write(mediaHead(dataBytes + frames.reduce((sum, { bytes }) => sum + bytes.byteLength, 0)));
    this.#writeData(dataBytes, frames);
  }

  /** Writes a fragment of the first bytes of the pictures' data, and of all sound so far. */
  #writeFragment(runs: SampleRun[], dataBytes: number): void {
    const decodeTime = this.#soundTime;
    const frames = this.#takeSound();
    if (this.#settings.sound !== undefined) {
      runs.push({ trackId: SOUND_TRACK_ID, decodeTime, samples: frames.map(soundSample) });
    }
    this.#write(fragmentHead(++this.#fragments, runs));
    this.#writeData(dataBytes, frames);
  }

  #takeSound(): readonly SoundFrame[] {
    const frames = this.#sound;
    this.#soundTime += this.#waitingSound;
    this.#waitingSound = 0;
    this.#sound = [];
    return frames;
  }

  /** Writes the first bytes of the pictures' data, and the sound. */
  #writeData(dataBytes: number, frames: readonly SoundFrame[]): void {
    this.#write(this.#data.bytes.subarray(0, dataBytes));
    for (const { bytes } of frames) this.#write(bytes);
    this.#data.drop(dataBytes);
  }

  #write(bytes: Uint8Array): void {
    this.#offset += bytes.byteLength;
    this.#file.append(bytes);
  }
}

function toTicks(timeUs: number): number {
  return Math.round((timeUs * VIDEO_TIMESCALE) / 1e6);
}

/** `next`: decoding time of the picture after the last. */
function videoSamples(pictures: readonly TimedPicture[], delay: number, next: number): FragmentSample[] {
  return pictures.map(({ bytes, isKey, decoded, shown }, place) => {
    // A gap of more than half a day shows only in the next fragment's time.
    const duration = Math.min((pictures[place + 1]?.decoded ?? next) - decoded, MAX_DURATION);
    return { bytes, isKey, duration, offset: shown + delay - decoded };
  });
}

function soundSample({ bytes, samples }: SoundFrame): FragmentSample {
  return { bytes: bytes.byteLength, isKey: true, duration: samples, offset: 0 };
}

/** Access unit delimiters and filler data have no place in a file, which delimits samples in its own way. */
function isAvcFilling(header: number): boolean {
  const type = header & 0x1f;
  return type === AVC_DELIMITER || type === AVC_FILLER;
}

function isHevcFilling(header: number): boolean {
  const type = (header >> 1) & 0x3f;
  return type === HEVC_DELIMITER || type === HEVC_FILLER;
}

const AVC_DELIMITER = 9;
const AVC_FILLER = 12;
const HEVC_DELIMITER = 35;
const HEVC_FILLER = 38;
