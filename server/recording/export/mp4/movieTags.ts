// What a clip's head says in words, as QuickTime and iTunes keep it (`udta`, `meta`, `ilst`).
import { AAC_FRAME_SAMPLES } from '../adts.ts';
import type { BoxWriter } from './boxWriter.ts';
import type { SoundTrackConfig } from './tracks.ts';

export interface MovieTags {
  /** When it was taken, since the epoch. */
  readonly startMs: number;
  readonly durationMs: number;
  readonly sound: SoundTrackConfig | undefined;
}

const UTF8_TEXT = 1;

export function writeTags(to: BoxWriter, { startMs, durationMs, sound }: MovieTags): void {
  to.box('udta', () =>
    to.fullBox('meta', {}, () => {
      to.fullBox('hdlr', {}, () => {
        to.u32(0);
        to.ascii('mdirappl');
        to.zeros(9);
      });
      to.box('ilst', () => {
        // The day, where programs that sort clips look for it.
        to.box('\u00a9day', () => writeText(to, new Date(startMs).toISOString()));
        if (sound !== undefined && sound.delaySamples > 0) writePlayedPart(to, playedPart(sound, durationMs));
      });
    }),
  );
}

/**
 * What of the sound is played, as iTunes says it. The edit list says the same, but ffmpeg takes from a fragmented file's edit
 * list only the times, and would decode the encoder's delay as sound in front of all other.
 */
function writePlayedPart(to: BoxWriter, words: string): void {
  to.box('----', () => {
    to.fullBox('mean', {}, () => to.ascii('com.apple.iTunes'));
    to.fullBox('name', {}, () => to.ascii('iTunSMPB'));
    writeText(to, words);
  });
}

/** A zero, what lies in front, what lies behind as the last frame's filling, and what is played between; in samples. */
function playedPart({ delaySamples, sampleRate }: SoundTrackConfig, durationMs: number): string {
  const played = Math.round((durationMs * sampleRate) / 1000);
  const filling = AAC_FRAME_SAMPLES - 1 - ((delaySamples + played - 1) % AAC_FRAME_SAMPLES);
  const hex = (value: number, digits: number): string => value.toString(16).toUpperCase().padStart(digits, '0');
  return ` ${hex(0, 8)} ${hex(delaySamples, 8)} ${hex(filling, 8)} ${hex(played, 16)}`;
}

function writeText(to: BoxWriter, words: string): void {
  to.box('data', () => {
    to.u32(UTF8_TEXT);
    to.u32(0); // locale
    to.ascii(words);
  });
}
