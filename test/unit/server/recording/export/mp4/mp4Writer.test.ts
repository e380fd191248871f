import fc from 'fast-check';
import { ALL_FORMATS, BufferSource, EncodedPacketSink, Input } from 'mediabunny';
import { describe, expect, it } from 'vitest';
import { AacEncoder } from '../../../../../../server/recording/export/aac/aacEncoder.ts';
import { singleChannelConfig } from '../../../../../../server/recording/export/adts.ts';
import { type Mp4Settings, Mp4Writer } from '../../../../../../server/recording/export/mp4/mp4Writer.ts';
import type { SoundTrackConfig } from '../../../../../../server/recording/export/mp4/tracks.ts';
import { readVideoTrack } from '../../../../../../server/recording/export/videoConfig.ts';
import { Codec } from '../../../../../../shared/protocol/stream/streamPacket.ts';
import { boxAt, readBoxes, readSamples, viewOf } from '../../../../../support/media/boxes.ts';
import { type AnyPicture, anyMp4, PPS, SPS, sampleOf } from '../../../../../support/media/clipPictures.ts';

const START = Date.UTC(2026, 2, 1, 14);
const TICKS_A_MS = 90;
const KEY_FLAGS = 0x0200_0000;

const keyFrame = Uint8Array.from([SPS, PPS, [0x65, 1]].flatMap((unit) => [0, 0, 0, 1, ...unit]));
const video = readVideoTrack(Codec.H264, keyFrame) ?? failed();
const aac: SoundTrackConfig = { ...singleChannelConfig(8_000), delaySamples: 0 };

function failed(): never {
  throw new Error('the parameter sets cannot be read');
}

function newWriter(over: Partial<Mp4Settings> = {}): Mp4Writer {
  return new Mp4Writer({ video, sound: undefined, startMs: START, durationMs: 1_000, ...over });
}

function fileOf(pictures: readonly AnyPicture[], over: Partial<Mp4Settings> = {}): Uint8Array<ArrayBuffer> {
  const writer = newWriter(over);
  const pieces: Uint8Array[] = [];
  for (const picture of pictures) {
    writer.addPicture(picture);
    pieces.push(writer.take() ?? new Uint8Array());
  }
  writer.finish();
  return new Uint8Array(Buffer.concat([...pieces, writer.take() ?? new Uint8Array()]));
}

/** Pictures of so many milliseconds each, a key frame every `interval` of them. */
function evenMp4(count: number, { stepMs = 40, interval = 50, dataBytes = 20 } = {}): AnyPicture[] {
  return Array.from({ length: count }, (_, at) => {
    const isKey = at % interval === 0;
    const slice = new Uint8Array(dataBytes).fill(0x55);
    slice[0] = isKey ? 0x65 : 0x41;
    const units = isKey ? [SPS, PPS, slice] : [slice];
    const bytes = new Uint8Array(Buffer.concat(units.flatMap((unit) => [Uint8Array.of(0, 0, 0, 1), unit])));
    return { bytes, timeUs: at * stepMs * 1000, isKey, units };
  });
}

/** By the reader that is not ours, in decoding order. */
async function readByOther(file: Uint8Array<ArrayBuffer>) {
  const input = new Input({ source: new BufferSource(file), formats: ALL_FORMATS });
  const track = (await input.getPrimaryVideoTrack()) ?? failed();
  const packets = [];
  for await (const packet of new EncodedPacketSink(track).packets()) packets.push(packet);
  return { input, track, packets };
}

function delayOf(file: Uint8Array): number {
  const elst = boxAt(readBoxes(file), 'moov', 'trak').children.find(({ type }) => type === 'edts')?.children[0];
  return elst === undefined ? 0 : viewOf(elst.body).getInt32(12);
}

describe('a mp4', () => {
  it('comes back from another’s reader in order, with its times and bytes', async () => {
    await fc.assert(
      fc.asyncProperty(anyMp4, async (pictures) => {
        const { packets } = await readByOther(fileOf(pictures));
        expect(packets.map(({ timestamp }) => Math.round(timestamp * 1e6))).toEqual(
          pictures.map(({ timeUs }) => timeUs),
        );
        expect(packets.map(({ type }) => type)).toEqual(pictures.map(({ isKey }) => (isKey ? 'key' : 'delta')));
        expect(packets.map(({ data }) => [...data])).toEqual(pictures.map(({ units }) => [...sampleOf(units)]));
      }),
    );
  });

  it('decodes its pictures at moments that rise without a hole, and shows none before', () => {
    fc.assert(
      fc.property(anyMp4, (pictures) => {
        const file = fileOf(pictures);
        const samples = readSamples(file);
        const delay = delayOf(file);
        expect(samples.map(({ decodeTime, offset }) => decodeTime + offset - delay)).toEqual(
          pictures.map(({ timeUs }) => (timeUs / 1000) * TICKS_A_MS),
        );
        samples.slice(1).forEach(({ decodeTime }, at) => {
          const before = samples[at] ?? failed();
          expect(before.duration).toBeGreaterThan(0);
          expect(decodeTime).toBe(before.decodeTime + before.duration);
        });
        expect(Math.min(...samples.map(({ offset }) => offset))).toBe(0);
      }),
    );
  });

  it('says when it was taken, how long it is and what is in it', async () => {
    const file = fileOf(evenMp4(100), { durationMs: 4_000 });
    const boxes = readBoxes(file);
    expect(boxes.map(({ type }) => type)).toEqual(['ftyp', 'moov', 'moof', 'mdat', 'moof', 'mdat', 'mfra']);
    const mvhd = viewOf(boxAt(boxes, 'moov', 'mvhd').body);
    expect(mvhd.getBigUint64(4)).toBe(BigInt(START / 1000 + 2_082_844_800));
    expect(mvhd.getUint32(20)).toBe(1_000);
    expect(mvhd.getBigUint64(24)).toBe(4_000n);
    expect(viewOf(boxAt(boxes, 'moov', 'mvex', 'mehd').body).getBigUint64(4)).toBe(4_000n);
    const { input, track } = await readByOther(file);
    expect([track.codec, track.codedWidth, track.codedHeight, track.timeResolution]).toEqual([
      'avc',
      1280,
      720,
      90_000,
    ]);
    const decoder = (await track.getDecoderConfig()) ?? failed();
    expect(decoder.codec).toBe('avc1.4d4028');
    const set = Buffer.from(decoder.description as Uint8Array);
    expect(set.includes(Buffer.from(SPS)) && set.includes(Buffer.from(PPS))).toBe(true);
    expect((await input.getMetadataTags()).date?.getTime()).toBe(START);
    expect(await input.computeDuration()).toBeCloseTo(4, 6);
  });

  it('has no edit list where pictures are shown as they are decoded, and begins at zero either way', async () => {
    expect(delayOf(fileOf(evenMp4(10)))).toBe(0);
    const [key, second, third] = evenMp4(3) as [AnyPicture, AnyPicture, AnyPicture];
    const file = fileOf([key, { ...second, timeUs: 80_000 }, { ...third, timeUs: 40_000 }]);
    expect(delayOf(file)).toBe(40 * TICKS_A_MS);
    const { track } = await readByOther(file);
    expect(await track.getFirstTimestamp()).toBe(0);
  });

  it('keeps pictures at their moments that are shown before the key frame they come behind', async () => {
    const places = [0, 1, 4, 2, 3, 7, 5, 6, 8];
    const pictures = evenMp4(places.length, { interval: 2 }).map((picture, at) => {
      const place = places[at] ?? failed();
      const isKey = [0, 4, 7].includes(place);
      const isLeading = [2, 3, 5, 6].includes(place);
      const dependence = isLeading ? 'leading' : isKey && place > 0 ? 'entry' : undefined;
      return { ...picture, timeUs: place * 1_000_000, isKey, dependence } as const;
    });
    const { packets } = await readByOther(fileOf(pictures, { durationMs: 9_000 }));
    expect(packets.map(({ timestamp }) => Math.round(timestamp))).toEqual(places);
    expect(packets.map(({ type }) => type === 'key')).toEqual(pictures.map(({ isKey }) => isKey));
  });

  it('has the pictures before its start in its head, where an edit list and a list of key frames leave them out', async () => {
    const hidden = [0, 1, 2].map((at) => ({ ...(evenMp4(3)[at] ?? failed()), timeUs: (at - 3) * 1_000 }));
    const shown = evenMp4(100, { interval: 50 }).map((picture, at) => ({ ...picture, isKey: picture.isKey && at > 0 }));
    const file = fileOf([...hidden, ...shown], { durationMs: 4_000, leadUs: 3_000 });
    const boxes = readBoxes(file);
    expect(boxes.map(({ type }) => type)).toEqual(['ftyp', 'moov', 'mdat']);
    const elst = viewOf(boxAt(boxes, 'moov', 'trak', 'edts', 'elst').body);
    expect([elst.getUint32(8), elst.getInt32(12)]).toEqual([4_000, 3 * TICKS_A_MS]);
    const stss = viewOf(boxAt(boxes, 'moov', 'trak', 'mdia', 'minf', 'stbl', 'stss').body);
    expect([stss.getUint32(4), stss.getUint32(8), stss.getUint32(12)]).toEqual([2, 1, 54]);
    const { packets } = await readByOther(file);
    const times = packets.map(({ timestamp }) => Math.round(timestamp * 1e6));
    expect(times).toEqual([...hidden, ...shown].map(({ timeUs }) => timeUs));
    expect(packets.map(({ data }) => [...data])).toEqual(
      [...hidden, ...shown].map(({ units }) => [...sampleOf(units)]),
    );
  });

  it('lists so much of a clip with pictures before its start, and has fragments behind that', async () => {
    const dataBytes = 1024 * 1024;
    const [first, ...others] = evenMp4(40, { interval: 50, dataBytes });
    const pictures = [{ ...(first ?? failed()), timeUs: -1_000 }, ...others];
    const boxes = readBoxes(fileOf(pictures, { durationMs: 1_600, leadUs: 1_000 }));
    expect(boxes.map(({ type }) => type)).toEqual(['ftyp', 'moov', 'mdat', ...Array(6).fill(['moof', 'mdat']).flat()]);
    const stsz = viewOf(boxAt(boxes, 'moov', 'trak', 'mdia', 'minf', 'stbl', 'stsz').body);
    expect(stsz.getUint32(8)).toBeLessThanOrEqual(17);
  });

  it('has fragments of two seconds, each from a key frame on, numbered and in the index', () => {
    const file = fileOf(evenMp4(500, { interval: 25 }), { durationMs: 20_000 });
    const boxes = readBoxes(file);
    const moofs = boxes.filter(({ type }) => type === 'moof');
    expect(moofs).toHaveLength(10);
    expect(moofs.map((moof) => viewOf(boxAt(moof.children, 'mfhd').body).getUint32(4))).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
    ]);
    const tfra = viewOf(boxAt(boxes, 'mfra', 'tfra').body);
    const entries = Array.from({ length: tfra.getUint32(12) }, (_, at) => {
      return [Number(tfra.getBigUint64(16 + at * 19)), Number(tfra.getBigUint64(24 + at * 19))];
    });
    expect(entries).toEqual(moofs.map(({ start }, at) => [at * 2_000 * TICKS_A_MS, start]));
    const starts = new Set(entries.map(([time]) => time));
    for (const { decodeTime, flags } of readSamples(file)) {
      if (starts.has(decodeTime)) expect(flags).toBe(KEY_FLAGS);
    }
  });

  it('lasts to its end, and a picture in front of a hole to the next', () => {
    const [first, second] = evenMp4(2, { stepMs: 30_000, interval: 1 }) as [AnyPicture, AnyPicture];
    const samples = readSamples(fileOf([first, second], { durationMs: 30_500 }));
    expect(samples.map(({ duration }) => duration / TICKS_A_MS)).toEqual([30_000, 500]);
    expect(readSamples(fileOf([first, second], { durationMs: 0 })).at(-1)?.duration).toBe(40 * TICKS_A_MS);
  });

  it('has exact times beyond 32 bits, over a hole of a day', () => {
    const dayMs = 86_400_000;
    const [first, second] = evenMp4(2, { stepMs: dayMs, interval: 1 }) as [AnyPicture, AnyPicture];
    const samples = readSamples(fileOf([first, second], { durationMs: dayMs + 40 }));
    expect(samples.map(({ decodeTime }) => decodeTime)).toEqual([0, dayMs * TICKS_A_MS]);
    expect(samples[0]?.duration).toBe(0xffff_ffff);
  });

  it('goes on in order where the clock was set back', () => {
    const pictures = evenMp4(100, { interval: 50 }).map((picture, at) => {
      return { ...picture, timeUs: picture.timeUs - (at < 50 ? 0 : 500_000) };
    });
    const times = readSamples(fileOf(pictures)).map(({ decodeTime, offset }) => decodeTime + offset);
    expect(times.every((time, at) => at === 0 || time > (times[at - 1] ?? 0))).toBe(true);
    expect(times.slice(70)).toEqual(pictures.slice(70).map(({ timeUs }) => (timeUs / 1000) * TICKS_A_MS));
  });

  it('leaves out what is no picture', () => {
    const pictures = evenMp4(3);
    const nothing = { ...(pictures[1] ?? failed()), bytes: new Uint8Array([1, 2, 3]) };
    expect(readSamples(fileOf([pictures[0] ?? failed(), nothing, pictures[2] ?? failed()]))).toHaveLength(2);
    expect(fileOf([])).toHaveLength(0);
  });

  it('holds no more than some megabytes of a group that does not end', () => {
    const pictures = evenMp4(400, { interval: 400, dataBytes: 100_000 });
    const writer = newWriter();
    let written = 0;
    let given = 0;
    let most = 0;
    for (const picture of pictures) {
      writer.addPicture(picture);
      given += picture.bytes.length;
      written += writer.take()?.length ?? 0;
      most = Math.max(most, given - written);
    }
    expect(most).toBeLessThan(8 * 1024 * 1024);
    const times = readSamples(fileOf(pictures)).map(({ decodeTime }) => decodeTime);
    expect(times).toEqual(pictures.map(({ timeUs }) => (timeUs / 1000) * TICKS_A_MS));
  });

  it('has its sound beside its pictures, and in fragments of its own where no picture comes', () => {
    const writer = newWriter({ sound: aac, durationMs: 60_000 });
    const [first, second] = evenMp4(2, { stepMs: 60_000, interval: 1 }) as [AnyPicture, AnyPicture];
    const frames = Array.from({ length: 3_000 }, (_, at) => ({
      bytes: Uint8Array.of(at >> 8, at & 0xff),
      samples: 160,
    }));
    writer.addPicture(first);
    writer.addPicture(second);
    for (const frame of frames) writer.addSound(frame);
    writer.finish();
    const file = writer.take() ?? failed();
    const sound = readSamples(file).filter(({ trackId }) => trackId === 2);
    expect(sound.map(({ bytes }) => [...bytes])).toEqual(frames.map(({ bytes }) => [...bytes]));
    expect(sound.every(({ decodeTime, duration }, at) => decodeTime === at * 160 && duration === 160)).toBe(true);
    expect(readBoxes(file).filter(({ type }) => type === 'moof').length).toBeGreaterThan(5);
  });

  it('says of its sound what a decoder must know, where it begins, and how long the shorter last frame is', async () => {
    const encoder = new AacEncoder(8_000);
    const frames = [1_024, 1_024, 1_024, 1_024, 1_024, 1_024, 1_024, 1_024, 832].map((samples) => ({
      bytes: encoder.encode(Int16Array.from({ length: 1_024 }, (_, at) => 3 * at - 2_000)),
      samples,
    }));
    const writer = newWriter({ sound: { ...aac, delaySamples: 1_024 } });
    for (const picture of evenMp4(25)) writer.addPicture(picture);
    for (const frame of frames) writer.addSound(frame);
    writer.finish();
    const input = new Input({ source: new BufferSource(writer.take() ?? failed()), formats: ALL_FORMATS });
    const track = (await input.getPrimaryAudioTrack()) ?? failed();
    expect([track.codec, track.sampleRate, track.numberOfChannels]).toEqual(['aac', 8_000, 1]);
    const decoder = (await track.getDecoderConfig()) ?? failed();
    // Low complexity, 8 kHz, one channel.
    expect([decoder.codec, ...(decoder.description as Uint8Array)]).toEqual(['mp4a.40.2', 0x15, 0x88]);
    const packets = [];
    for await (const packet of new EncodedPacketSink(track).packets()) packets.push(packet);
    expect(packets.map(({ data }) => [...data])).toEqual(frames.map(({ bytes }) => [...bytes]));
    // What the encoder put in front lies before the clip.
    expect(packets.map(({ timestamp }) => timestamp * 8_000)).toEqual(frames.map((_, at) => (at - 1) * 1_024));
    expect(packets.map(({ duration }) => duration * 8_000)).toEqual(frames.map(({ samples }) => samples));
    expect(await track.computeDuration()).toBe(1);
  });
});
