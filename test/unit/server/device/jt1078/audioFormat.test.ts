import { describe, expect, it } from 'vitest';
import type { AvAttributes } from '../../../../../server/device/jt808/codec/messages/live.ts';
import { readAudio } from '../../../../../server/device/jt1078/audioFormat.ts';
import { PayloadType } from '../../../../../server/device/jt1078/codec/payloadTypes.ts';
import { Codec } from '../../../../../shared/protocol/stream/streamPacket.ts';

const SAMPLES = Uint8Array.from([1, 2, 3, 4, 5, 6]);
const SAID: AvAttributes = {
  audioCodec: PayloadType.PcmVoice,
  audioChannels: 2,
  sampleRate: 3,
  sampleBits: 1,
  audioFrameBytes: 320,
  audioOutput: 1,
  videoCodec: 98,
  maxAudioChannels: 1,
  maxVideoChannels: 4,
};
/** AAC-LC in ADTS: sampling_frequency_index 4 (44.1 kHz), two channels. */
const ADTS = Uint8Array.from([0xff, 0xf1, 0x50, 0x80, 1, 0x5f, 0xfc, 0x21, 0x10]);

describe('readAudio', () => {
  it.each([
    ['A-law', PayloadType.G711A, Codec.G711A],
    ['µ-law', PayloadType.G711U, Codec.G711U],
    ['G.726', PayloadType.G726, Codec.G726],
    ['IMA ADPCM', PayloadType.Adpcma, Codec.ImaAdpcm],
    ['PCM of a terminal that said nothing', PayloadType.PcmAudio, Codec.Pcm16],
  ])('knows %s', (_what, payloadType, codec) => {
    const telephone = { codec, sampleRate: 8_000, channels: 1, samples: SAMPLES };
    expect(readAudio(payloadType, SAMPLES, undefined)).toEqual(telephone);
  });

  it('strips the header of HiSilicon chips from every codec', () => {
    expect(readAudio(PayloadType.G726, Uint8Array.from([0, 1, 2, 0, 9, 8, 7, 6]), undefined)?.samples).toEqual(
      Uint8Array.from([9, 8, 7, 6]),
    );
  });

  it('takes rate and channels of PCM from what the terminal said of that codec', () => {
    expect(readAudio(PayloadType.PcmVoice, SAMPLES, SAID)).toMatchObject({ sampleRate: 48_000, channels: 2 });
    expect(readAudio(PayloadType.PcmAudio, SAMPLES, SAID)).toMatchObject({ sampleRate: 8_000, channels: 1 });
    expect(readAudio(PayloadType.G711A, SAMPLES, { ...SAID, audioCodec: 6 })).toMatchObject({ sampleRate: 8_000 });
  });

  it('turns big-endian samples round and drops half a sample', () => {
    expect(readAudio(PayloadType.S16BeStereo, Uint8Array.from([1, 2, 3, 4, 5]), undefined)).toEqual({
      codec: Codec.Pcm16,
      sampleRate: 8_000,
      channels: 2,
      samples: Uint8Array.from([2, 1, 4, 3]),
    });
  });

  it('reads rate and channels of AAC from its own header', () => {
    expect(readAudio(PayloadType.Aac, ADTS, undefined)).toEqual({
      codec: Codec.Aac,
      sampleRate: 44_100,
      channels: 2,
      samples: ADTS,
    });
  });

  it.each([
    ['AAC without a header', PayloadType.Aac, SAMPLES],
    ['AAC that says a rate that there is not', PayloadType.Aac, ADTS.with(2, 0x7c)],
    ['a codec that no stream has', PayloadType.Amr, SAMPLES],
    ['nothing', PayloadType.G711A, new Uint8Array()],
    ['half a sample', PayloadType.PcmVoice, Uint8Array.from([1])],
    ['ADPCM without samples', PayloadType.Adpcma, Uint8Array.from([1, 2, 3, 4])],
  ])('leaves out %s', (_what, payloadType, bytes) => {
    expect(readAudio(payloadType, bytes, undefined)).toBeUndefined();
  });
});
