// What a film's tracks are, as far as a file's head must say it.

export interface VideoTrack {
  /** Names the sample entry: its box is `avc1` or `hvc1`, the decoder's set-up in it `avcC` or `hvcC`. */
  readonly family: 'avc' | 'hevc';
  readonly width: number;
  readonly height: number;
  /** The decoder's set-up (ISO/IEC 14496-15, 5.3.3.1 and 8.3.3.1), parameter sets included. */
  readonly configuration: Uint8Array;
}

export type SoundTrackConfig = OpusConfig | AacTrackConfig;

interface OpusConfig {
  readonly codec: 'opus';
  /** 48,000, whatever was encoded. */
  readonly sampleRate: number;
  readonly channels: number;
  readonly frameSamples: number;
  /** Samples in front that the decoder makes of nothing. */
  readonly preSkip: number;
  /** Of what was encoded. */
  readonly inputRate: number;
}

interface AacTrackConfig {
  readonly codec: 'aac';
  readonly sampleRate: number;
  readonly channels: number;
  readonly frameSamples: number;
  /** AudioSpecificConfig. */
  readonly description: Uint8Array;
}

export const VIDEO_TRACK_ID = 1;
export const SOUND_TRACK_ID = 2;
/** Whole for times in milliseconds and for those of RTP; a sample's duration of 32 bits reaches for half a day. */
export const VIDEO_TIMESCALE = 90_000;
