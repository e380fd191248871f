// The format of a track's samples and the setup of their decoder (`stsd`).
import type { BoxWriter } from './boxWriter.ts';
import type { SoundTrackConfig, VideoTrack } from './tracks.ts';

const DOTS_PER_INCH_72 = 0x48_0000;
const COLOUR_WITHOUT_ALPHA = 0x18;

/** ISO/IEC 14496-12, 12.1.3, with the set-up of ISO/IEC 14496-15. */
export function writeVideoEntry(to: BoxWriter, { family, width, height, configuration }: VideoTrack): void {
  to.box(family === 'avc' ? 'avc1' : 'hvc1', () => {
    writeEntryHead(to);
    to.zeros(16);
    to.u16(width);
    to.u16(height);
    to.u32(DOTS_PER_INCH_72);
    to.u32(DOTS_PER_INCH_72);
    to.u32(0);
    to.u16(1); // frames a sample
    to.zeros(32); // compressorname
    to.u16(COLOUR_WITHOUT_ALPHA);
    to.u16(0xffff);
    to.box(family === 'avc' ? 'avcC' : 'hvcC', () => to.bytes(configuration));
  });
}

/** ISO/IEC 14496-12, 12.2.3. */
export function writeSoundEntry(to: BoxWriter, sound: SoundTrackConfig): void {
  to.box('mp4a', () => {
    writeEntryHead(to);
    to.zeros(8);
    to.u16(sound.channels);
    to.u16(16); // bits a sample
    to.u32(0);
    // 16.16; a rate that does not fit is stated only by the decoder's setup.
    to.u16(sound.sampleRate <= 0xffff ? sound.sampleRate : 0);
    to.u16(0);
    writeAacSetUp(to, sound.description);
  });
}

function writeEntryHead(to: BoxWriter): void {
  to.zeros(6);
  to.u16(1); // data_reference_index
}

const Descriptor = { Stream: 3, DecoderConfig: 4, DecoderSpecific: 5, SyncLayer: 6 } as const;
const AAC_OBJECT = 0x40;
/** streamType 5 in six bits, upStream 0, reserved 1. */
const AUDIO_STREAM = 0x15;

/** ISO/IEC 14496-14, 5.6: descriptors of ISO/IEC 14496-1, each after its size. */
function writeAacSetUp(to: BoxWriter, audioSpecificConfig: Uint8Array): void {
  const specificBytes = audioSpecificConfig.byteLength;
  const decoderBytes = 13 + 2 + specificBytes;
  to.fullBox('esds', {}, () => {
    writeDescriptor(to, Descriptor.Stream, 3 + 2 + decoderBytes + 3);
    to.u16(0); // ES_ID: a file's tracks have their own numbers
    to.u8(0);
    writeDescriptor(to, Descriptor.DecoderConfig, decoderBytes);
    to.u8(AAC_OBJECT);
    to.u8(AUDIO_STREAM);
    to.u24(0); // bufferSizeDB
    to.u32(0); // maxBitrate, avgBitrate: not known
    to.u32(0);
    writeDescriptor(to, Descriptor.DecoderSpecific, specificBytes);
    to.bytes(audioSpecificConfig);
    writeDescriptor(to, Descriptor.SyncLayer, 1);
    to.u8(2); // the value in MP4 files
  });
}

/** Sizes below 128 take one byte; the longest AudioSpecificConfig that is made here has two. */
function writeDescriptor(to: BoxWriter, tag: number, bytes: number): void {
  if (bytes > 0x7f) throw new RangeError(`a descriptor of ${bytes} bytes`);
  to.u8(tag);
  to.u8(bytes);
}
