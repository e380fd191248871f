// What a package says of a clip in it: whose bytes its pictures and its sound are, of what was recorded. Pure.
import { Codec } from '../../../../shared/protocol/stream/streamPacket.ts';
import type { ExportPlan } from '../../../recording/export/exportChannel.ts';
import { clipFileName } from '../../../recording/export/fileNames.ts';

const SOUND_NAMES: ReadonlyMap<number, string> = new Map([
  [Codec.Pcm16, 'PCM'],
  [Codec.G711A, 'G.711 A-law'],
  [Codec.G711U, 'G.711 µ-law'],
  [Codec.Aac, 'AAC'],
  [Codec.Opus, 'Opus'],
  [Codec.ImaAdpcm, 'IMA ADPCM'],
  [Codec.G726, 'G.726'],
]);

export interface PackagedClip {
  readonly name: string;
  readonly channel: number;
  /** Null where none was recorded. `encoded`: it was not stored as it was recorded. */
  readonly sound: { readonly recorded: string; readonly stored: 'AAC'; readonly encoded: boolean } | null;
}

export function packagedClip(plan: Pick<ExportPlan, 'track' | 'startMs' | 'sound'>): PackagedClip {
  const { track, sound } = plan;
  return {
    name: `video/${clipFileName(plan)}`,
    channel: track.channel,
    sound:
      sound === undefined
        ? null
        : {
            recorded: SOUND_NAMES.get(sound.codec) ?? 'unknown',
            stored: 'AAC',
            encoded: sound.codec !== Codec.Aac,
          },
  };
}
