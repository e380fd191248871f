// Which sound is left to the browser's own decoder; the telephone codecs are decoded by shared/protocol/sound.
import { Codec } from '../../shared/protocol/stream/streamPacket.ts';

const BROWSER_CODECS: Readonly<Record<number, string>> = { [Codec.Aac]: 'mp4a.40.2', [Codec.Opus]: 'opus' };

/** The browser decoder's name of a codec that is left to it. */
export function browserCodecOf(codec: number): string | undefined {
  return BROWSER_CODECS[codec];
}
