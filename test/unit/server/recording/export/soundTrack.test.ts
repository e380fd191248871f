import { describe, expect, it } from 'vitest';
import { AAC_FRAME_SAMPLES } from '../../../../../server/recording/export/adts.ts';
import type { SoundFrame } from '../../../../../server/recording/export/mp4/tracks.ts';
import { createSoundTrack, type SoundTrack } from '../../../../../server/recording/export/soundTrack.ts';
import { A_LAW } from '../../../../../shared/protocol/codec/sound/g711.ts';
import { Codec } from '../../../../../shared/protocol/stream/streamPacket.ts';

const RATE = 8_000;
const CHUNK_MS = 40;
const CHUNK_SAMPLES = 320;
/** Delay of the encoder. */
const DELAY_SAMPLES = 576;
const telephone = { sampleRate: RATE, channels: 1 };

function newTrack(format = telephone): SoundTrack {
  const track = createSoundTrack({ codec: Codec.G711A, bytes: chunkOf(1) }, format, () => ({
    encode: keep,
    delaySamples: DELAY_SAMPLES,
  }));
  if (track === undefined) throw new Error('no track');
  return track;
}

/** A chunk of A-law whose first sample tells it from others. */
function chunkOf(mark: number): Uint8Array {
  return new Uint8Array(CHUNK_SAMPLES).fill(0xd5, 1).fill(mark, 0, 1);
}

/** The samples of a chunk, 16 bits each. */
function samplesOf(chunk: Uint8Array): number[] {
  return [...chunk].map((code) => A_LAW[code] ?? 0);
}

function pcm(samples: readonly number[]): Uint8Array {
  return new Uint8Array(Int16Array.from(samples).buffer);
}

const silence = (samples: number): number[] => new Array<number>(samples).fill(0);
const g711 = (mark: number, timeMs: number) => ({ codec: Codec.G711A, bytes: chunkOf(mark), timeUs: timeMs * 1000 });

/** An encoder that loses nothing: which samples stand where is seen exactly. */
function keep(block: Int16Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(block.slice().buffer);
}

/** All samples in order that the frames of a finished track last for; a frame is full whatever of it is played. */
function heard(frames: readonly SoundFrame[]): number[] {
  const samples = frames.flatMap(({ bytes }) => [...new Int16Array(bytes.slice().buffer)]);
  const durations = frames.map((frame) => frame.samples);
  // A frame that only the delay requires lasts for one sample, since no reader gets along with none.
  const end = durations.reduce((sum, count) => sum + count, durations.at(-1) === 1 ? -1 : 0);
  expect(durations.slice(0, -2).every((count) => count === AAC_FRAME_SAMPLES)).toBe(true);
  expect(samples.length).toBe(frames.length * AAC_FRAME_SAMPLES);
  // What is played is late by the delay: the last sample must still be in a frame.
  expect(samples.length - end).toBeGreaterThanOrEqual(DELAY_SAMPLES);
  expect(samples.slice(end).every((sample) => sample === 0)).toBe(true);
  return samples.slice(0, end);
}

describe('a mp4’s sound', () => {
  it('is what came, chunk by chunk, in full frames and a rest', () => {
    const track = newTrack();
    const chunks = Array.from({ length: 20 }, (_, at) => g711(at + 1, at * CHUNK_MS));
    const frames = chunks.flatMap((chunk) => track.push(chunk));
    expect(frames.map(({ samples }) => samples)).toEqual([1024, 1024, 1024, 1024, 1024, 1024]);
    const all = [...frames, ...track.finish()];
    expect(all.slice(6).map(({ samples }) => samples)).toEqual([256]);
    expect(heard(all)).toEqual(chunks.flatMap(({ bytes }) => samplesOf(bytes)));
    expect(track.finish()).toEqual([]);
    expect(track.config).toMatchObject({ sampleRate: RATE, channels: 1, delaySamples: DELAY_SAMPLES });
  });

  it('is silent where nothing came, and goes on at its moment', () => {
    const track = newTrack();
    const all = [g711(1, 0), g711(2, 5_000), g711(3, 5_040)].flatMap((chunk) => track.push(chunk));
    expect(heard([...all, ...track.finish()])).toEqual([
      ...samplesOf(chunkOf(1)),
      ...silence(40_000 - CHUNK_SAMPLES),
      ...samplesOf(chunkOf(2)),
      ...samplesOf(chunkOf(3)),
    ]);
  });

  it('is silent up to the moment that it is filled to, and not moved by jitter', () => {
    const track = newTrack();
    const all = [...track.push(g711(1, 0)), ...track.fill(0.09), ...track.push(g711(2, 95)), ...track.fill(1)];
    expect(heard([...all, ...track.finish()])).toEqual([
      ...samplesOf(chunkOf(1)),
      ...samplesOf(chunkOf(2)),
      ...silence(8_000 - 2 * CHUNK_SAMPLES),
    ]);
  });

  it('has no place for what comes twice, or for what comes earlier than what is written', () => {
    const track = newTrack();
    const times = [0, 40, 80, 120, 0, 40, 160];
    const all = times.flatMap((time, at) => track.push(g711(at + 1, time)));
    expect(heard([...all, ...track.finish()])).toEqual([1, 2, 3, 4, 7].flatMap((mark) => samplesOf(chunkOf(mark))));
  });

  it('does not drift in an hour, though every time is off and the clock of the terminal is not ours', {
    timeout: 60_000,
  }, () => {
    const track = newTrack();
    let samples = 0;
    let latestOffMs = 0;
    const count = (frames: readonly SoundFrame[]): void => {
      for (const frame of frames) samples += frame.samples;
    };
    const chunks = 3_600_000 / CHUNK_MS;
    for (let at = 0; at < chunks; at++) {
      // There are seven samples in a hundred thousand too few, and up to 15 ms this way or that.
      const timeMs = at * CHUNK_MS * 1.000_07 + ((at * 7_919) % 31) - 15;
      count(track.push(g711(1, timeMs)));
      latestOffMs = Math.max(latestOffMs, Math.abs(at * CHUNK_MS * 1.000_07 - samples / 8));
    }
    count(track.finish());
    // The difference is a frame that is not full yet, and jitter.
    expect(latestOffMs).toBeLessThan(AAC_FRAME_SAMPLES / 8 + 80);
    expect(Math.abs(samples / 8 - 3_600_000 * 1.000_07)).toBeLessThan(80);
  });

  it('keeps its rate where that of the sound changes', () => {
    const track = newTrack();
    const ramp = Array.from({ length: 640 }, (_, at) => at * 10);
    const first = track.push({ codec: Codec.Pcm16, bytes: pcm(ramp.slice(0, 320)), timeUs: 0 });
    track.setFormat({ sampleRate: 16_000, channels: 1 });
    const second = track.push({ codec: Codec.Pcm16, bytes: pcm(ramp), timeUs: 40_000 });
    track.setFormat(telephone);
    const third = track.push({ codec: Codec.Pcm16, bytes: pcm([5, 6, 7]), timeUs: 80_000 });
    const all = heard([...first, ...second, ...third, ...track.finish()]);
    expect(all.length).toBe(320 + 320 + 3);
    expect(all.slice(0, 320)).toEqual(ramp.slice(0, 320));
    // These are every other sample, one late.
    expect(all[320]).toBe(0);
    expect(all.slice(321, 640)).toEqual(Array.from({ length: 319 }, (_, at) => at * 20 + 10));
    expect(all.slice(640)).toEqual([5, 6, 7]);
  });

  it('goes on over a change of the codec, and is silent in what it cannot decode', () => {
    const track = newTrack();
    const all = [
      track.push(g711(9, 0)),
      track.push({
        codec: Codec.Pcm16,
        bytes: pcm(Array.from({ length: 320 }, (_, at) => at - 32_768)),
        timeUs: 40_000,
      }),
      track.push({ codec: Codec.Aac, bytes: new Uint8Array(100), timeUs: 80_000 }),
      track.push(g711(8, 2_000)),
    ].flat();
    expect(heard([...all, ...track.finish()])).toEqual([
      ...samplesOf(chunkOf(9)),
      ...Array.from({ length: 320 }, (_, at) => at - 32_768),
      ...silence(16_000 - 640),
      ...samplesOf(chunkOf(8)),
    ]);
  });

  it('has no frame where nothing was written', () => {
    expect(newTrack().finish()).toEqual([]);
  });

  it.each([
    [0, 8_000],
    [Number.NaN, 8_000],
    [1_000, 8_000],
    [9_000, 11_025],
    [11_025, 11_025],
    [44_000, 44_100],
    [48_000, 48_000],
    [96_000, 48_000],
  ])('that is said to have %d samples a second has %d', (said, sampleRate) => {
    expect(newTrack({ sampleRate: said, channels: 1 }).config.sampleRate).toBe(sampleRate);
  });
});
