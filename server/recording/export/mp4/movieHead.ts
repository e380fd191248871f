// A clip's head: its type, the time when it was recorded, its length, its tracks. Fragments hold its samples. Where the first pictures
// are not to be shown, the head lists the samples of the clip's beginning.
import { BoxWriter } from './boxWriter.ts';
import { type FragmentSample, KEY_FLAGS, MDAT_HEADER_BYTES } from './fragment.ts';
import { writeTags } from './movieTags.ts';
import { writeSoundEntry, writeVideoEntry } from './sampleEntries.ts';
import { writeSampleLists } from './sampleLists.ts';
import { SOUND_TRACK_ID, type SoundTrackConfig, VIDEO_TIMESCALE, VIDEO_TRACK_ID, type VideoTrack } from './tracks.ts';

export interface Movie {
  readonly video: VideoTrack;
  readonly sound: SoundTrackConfig | undefined;
  /** Time when it was recorded, since the epoch. */
  readonly startMs: number;
  readonly durationMs: number;
  /** Time before the pictures' zero on their time line: a decoder needs it to put them in order. In the track's units. */
  readonly videoDelay: number;
  /** Samples whose bytes follow the head in an `mdat`, those of the pictures first. Missing: none. */
  readonly listed?: ListedSamples | undefined;
}

interface ListedSamples {
  readonly video: readonly FragmentSample[];
  readonly sound: readonly FragmentSample[];
}

interface Track {
  readonly id: number;
  readonly timescale: number;
  readonly kind: 'vide' | 'soun';
  readonly width: number;
  readonly height: number;
  /** Length of the track's time line before the clip's zero. */
  readonly startsAt: number;
  /** Samples that the head lists, in the track's units. */
  readonly samples: readonly FragmentSample[];
  readonly writeEntry: (to: BoxWriter) => void;
}

/** Seconds from 1904, where MP4 begins to count, to 1970. */
const MP4_EPOCH_S = 2_082_844_800;
const MOVIE_TIMESCALE = 1000;
const FIXED_ONE = 0x1_0000;

export function movieHead(movie: Movie): Uint8Array<ArrayBuffer> {
  const to = new BoxWriter(2048);
  /** Where each track's offset of its samples' bytes is filled in, once that is known. */
  const placesAt: (number | undefined)[] = [];
  to.box('ftyp', () => {
    to.ascii('iso6');
    to.u32(0x200);
    // Decode times in every fragment, counted from its own head, need iso6. Readers that look for less find that too.
    to.ascii(`iso5iso6mp41${movie.video.family === 'avc' ? 'avc1' : ''}`);
  });
  const takenS = takenAt(movie);
  const tracks = tracksOf(movie);
  to.box('moov', () => {
    writeMovieHeader(to, { takenS, durationMs: movie.durationMs, nextTrackId: tracks.length + 1 });
    for (const track of tracks) placesAt.push(writeTrack(to, track, movie));
    to.box('mvex', () => {
      to.fullBox('mehd', { version: 1 }, () => to.u64(Math.round(movie.durationMs)));
      for (const track of tracks) writeTrackDefaults(to, track);
    });
    writeTags(to, movie);
  });
  let place = to.length + MDAT_HEADER_BYTES;
  for (const [index, { samples }] of tracks.entries()) {
    const placeAt = placesAt[index];
    if (placeAt !== undefined) to.setU32(placeAt, place);
    place += samples.reduce((sum, { bytes }) => sum + bytes, 0);
  }
  return to.finish();
}

/** Time of recording in seconds, as MP4 counts. */
function takenAt({ startMs }: Movie): number {
  return Math.floor(startMs / 1000) + MP4_EPOCH_S;
}

function tracksOf({ video, sound, videoDelay, listed }: Movie): Track[] {
  const { width, height } = video;
  const pictures: Track = {
    id: VIDEO_TRACK_ID,
    timescale: VIDEO_TIMESCALE,
    kind: 'vide',
    width,
    height,
    startsAt: videoDelay,
    samples: listed?.video ?? [],
    writeEntry: (to) => writeVideoEntry(to, video),
  };
  if (sound === undefined) return [pictures];
  const audioTrack: Track = {
    id: SOUND_TRACK_ID,
    timescale: sound.sampleRate,
    kind: 'soun',
    width: 0,
    height: 0,
    startsAt: sound.delaySamples,
    samples: listed?.sound ?? [],
    writeEntry: (to) => writeSoundEntry(to, sound),
  };
  return [pictures, audioTrack];
}

interface MovieTimes {
  readonly takenS: number;
  readonly durationMs: number;
  readonly nextTrackId: number;
}

function writeMovieHeader(to: BoxWriter, { takenS, durationMs, nextTrackId }: MovieTimes): void {
  to.fullBox('mvhd', { version: 1 }, () => {
    to.u64(takenS);
    to.u64(takenS);
    to.u32(MOVIE_TIMESCALE);
    to.u64(Math.round(durationMs));
    to.u32(FIXED_ONE); // rate
    to.u16(0x100); // volume
    to.zeros(10);
    writeMatrix(to);
    to.zeros(24);
    to.u32(nextTrackId);
  });
}

const TRACK_ENABLED_IN_MOVIE = 3;

/** Gives the place at which the offset of the samples' bytes is to be filled in, if the track has any. */
function writeTrack(to: BoxWriter, track: Track, movie: Movie): number | undefined {
  const takenS = takenAt(movie);
  let placeAt: number | undefined;
  to.box('trak', () => {
    to.fullBox('tkhd', { version: 1, flags: TRACK_ENABLED_IN_MOVIE }, () => {
      to.u64(takenS);
      to.u64(takenS);
      to.u32(track.id);
      to.u32(0);
      to.u64(Math.round((durationOf(track) * MOVIE_TIMESCALE) / track.timescale)); // duration of the samples in the head
      to.zeros(8);
      to.u16(0); // layer
      to.u16(track.kind === 'soun' ? 1 : 0); // alternate_group
      to.u16(track.kind === 'soun' ? 0x100 : 0); // volume
      to.u16(0);
      writeMatrix(to);
      to.u32(track.width * FIXED_ONE);
      to.u32(track.height * FIXED_ONE);
    });
    // Without an end, readers show none of the samples that are listed here.
    const shownMs = track.samples.length > 0 ? Math.ceil(movie.durationMs) : 0;
    if (track.startsAt > 0) writeStart(to, track.startsAt, shownMs);
    placeAt = writeMedia(to, track, takenS);
  });
  return placeAt;
}

function durationOf({ samples }: Track): number {
  return samples.reduce((sum, { duration }) => sum + duration, 0);
}

/** Makes the clip begin at this point of the track's time line. `shownMs` of 0: it lasts to the end. */
function writeStart(to: BoxWriter, mediaTime: number, shownMs: number): void {
  to.box('edts', () =>
    to.fullBox('elst', {}, () => {
      to.u32(1);
      to.u32(shownMs);
      to.i32(mediaTime);
      to.u32(FIXED_ONE);
    }),
  );
}

/** `und`: no language, in three letters of five bits. */
const NO_LANGUAGE = 0x55c4;

function writeMedia(to: BoxWriter, track: Track, takenS: number): number | undefined {
  let placeAt: number | undefined;
  to.box('mdia', () => {
    to.fullBox('mdhd', { version: 1 }, () => {
      to.u64(takenS);
      to.u64(takenS);
      to.u32(track.timescale);
      to.u64(durationOf(track));
      to.u16(NO_LANGUAGE);
      to.u16(0);
    });
    to.fullBox('hdlr', {}, () => {
      to.u32(0);
      to.ascii(track.kind);
      to.zeros(12);
      to.ascii(track.kind === 'vide' ? 'Video\0' : 'Sound\0');
    });
    to.box('minf', () => {
      if (track.kind === 'vide') to.fullBox('vmhd', { flags: 1 }, () => to.zeros(8));
      else to.fullBox('smhd', {}, () => to.zeros(4));
      to.box('dinf', () =>
        to.fullBox('dref', {}, () => {
          to.u32(1);
          to.fullBox('url ', { flags: 1 }, () => {}); // in this file
        }),
      );
      placeAt = writeSampleTable(to, track);
    });
  });
  return placeAt;
}

function writeSampleTable(to: BoxWriter, track: Track): number | undefined {
  let placeAt: number | undefined;
  to.box('stbl', () => {
    to.fullBox('stsd', {}, () => {
      to.u32(1);
      track.writeEntry(to);
    });
    placeAt = writeSampleLists(to, track.samples);
  });
  return placeAt;
}

function writeTrackDefaults(to: BoxWriter, { id, kind }: Track): void {
  to.fullBox('trex', {}, () => {
    to.u32(id);
    to.u32(1); // the one sample description
    to.zeros(8);
    to.u32(kind === 'soun' ? KEY_FLAGS : 0);
  });
}

/** The unity matrix: no rotation. */
function writeMatrix(to: BoxWriter): void {
  for (const value of [FIXED_ONE, 0, 0, 0, FIXED_ONE, 0, 0, 0, 0x4000_0000]) to.u32(value);
}
