// What a clip's tracks are, as far as a file's head must say it.

export interface VideoTrack {
  /** Names the sample entry: its box is `avc1` or `hvc1`, the decoder's set-up in it `avcC` or `hvcC`. */
  readonly family: 'avc' | 'hevc';
  readonly width: number;
  readonly height: number;
  /** The decoder's set-up (ISO/IEC 14496-15, 5.3.3.1 and 8.3.3.1), parameter sets included. */
  readonly configuration: Uint8Array;
}

/** AAC. */
export interface SoundTrackConfig {
  readonly sampleRate: number;
  readonly channels: number;
  /** The decoder's set-up: AudioSpecificConfig. */
  readonly description: Uint8Array;
  /** What the encoder put in front: the clip's first sample lies so many samples behind that of the first frame. */
  readonly delaySamples: number;
}

/** A frame of sound as its codec has it, and how long it is at the track's rate. */
export interface SoundFrame {
  readonly bytes: Uint8Array;
  readonly samples: number;
}

export const VIDEO_TRACK_ID = 1;
export const SOUND_TRACK_ID = 2;
/** Whole for times in milliseconds and for those of RTP; a sample's duration of 32 bits reaches for half a day. */
export const VIDEO_TIMESCALE = 90_000;
