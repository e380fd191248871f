import { describe, expect, it } from 'vitest';
import { Codec } from '../../../../../shared/protocol/stream/streamPacket.ts';
import { mediaUs, wallMs } from '../../../../../shared/protocol/time.ts';
import { StreamDecoder } from '../../../../../workers/video/decode/streamDecoder.ts';
import type { VideoUnit } from '../../../../../workers/video/messages.ts';
import {
  accessUnit,
  pictureSet,
  recoveryPoint,
  SliceType,
  sequenceSet,
  sliceOf,
} from '../../../../support/media/slices.ts';
import { fromHex } from '../../../shared/protocol/video/knownSets.ts';
import { FakeDecoder, FakeFrame, fakeChunk } from './fakeDecoder.ts';
import { annexB, IDR, PPS, SLICE, setNamed } from './parameterSets.ts';

const keyBytes = annexB(setNamed('CIF'), PPS, IDR);
const largeKeyBytes = annexB(setNamed('1088'), PPS, IDR);
const interlacedKeyBytes = annexB(setNamed('interlaced'), PPS, IDR);
const deltaBytes = annexB(SLICE);

function setUp(unsupported: readonly string[] = []) {
  const decoders: FakeDecoder[] = [];
  const shown: { readonly mediaTimeUs: number; readonly deviceTimeMs: number }[] = [];
  const faults: string[] = [];
  let nowMs = 0;
  const decoder = new StreamDecoder({
    createDecoder: (init) => {
      const created = new FakeDecoder(init);
      decoders.push(created);
      return created;
    },
    createChunk: fakeChunk,
    isSupported: ({ codec }) => Promise.resolve(!unsupported.includes(codec)),
    now: () => nowMs,
    onFrame: (frame, times) => {
      shown.push(times);
      frame.close();
    },
    hasClock: () => false,
    onSkipped: () => {},
    onFault: ({ kind }) => faults.push(kind),
  });
  const unit = (key: boolean, frame: number): VideoUnit => ({
    byteOffset: 0,
    byteLength: 0,
    codec: Codec.H264,
    key,
    discontinuity: false,
    unseen: false,
    mediaTimeUs: mediaUs(frame * 40_000),
    deviceTimeMs: wallMs(1_000 + frame),
  });
  const last = (): FakeDecoder => {
    const found = decoders.at(-1);
    if (found === undefined) throw new Error('no decoder yet');
    return found;
  };
  return {
    decoder,
    decoders,
    last,
    shown,
    faults,
    key: (frame: number, bytes = keyBytes) => decoder.push(unit(true, frame), bytes),
    delta: (frame: number) => decoder.push(unit(false, frame), deltaBytes),
    pushUnit: (fields: Partial<VideoUnit>, bytes: Uint8Array) => decoder.push({ ...unit(true, 0), ...fields }, bytes),
    advance: (ms: number) => {
      nowMs += ms;
    },
  };
}

describe('StreamDecoder', () => {
  it('is set up from the stream itself, as Annex B', () => {
    const { key, last } = setUp();
    expect(key(0)).toBe(true);
    expect(last().configs).toEqual([
      { codec: 'avc1.42c00d', optimizeForLatency: true, hardwareAcceleration: 'no-preference' },
    ]);
    expect(last().chunks).toMatchObject([{ type: 'key', timestamp: 0 }]);
  });

  it('goes on at a picture that tells of a clock that was set: nothing before it is missing', () => {
    const { key, pushUnit, last } = setUp();
    key(0);
    expect(pushUnit({ key: false, discontinuity: true, mediaTimeUs: mediaUs(40_000) }, deltaBytes)).toBe(true);
    expect(pushUnit({ key: false, mediaTimeUs: mediaUs(80_000) }, deltaBytes)).toBe(true);
    expect(last().chunks.map(({ timestamp }) => timestamp)).toEqual([0, 40_000, 80_000]);
  });

  it('makes no decoder before the first key frame', () => {
    const { delta, decoders } = setUp();
    expect(delta(0)).toBe(false);
    expect(decoders).toHaveLength(0);
  });

  it('is set up again only when the parameter set changes', () => {
    const { key, delta, last, decoders } = setUp();
    key(0);
    delta(1);
    key(2);
    expect(last().configs).toHaveLength(1);
    key(3, largeKeyBytes);
    expect(last().configs.map((config) => config.codec)).toEqual(['avc1.42c00d', 'avc1.640028']);
    expect(decoders).toHaveLength(1);
  });

  it('decodes interlaced pictures in software', () => {
    const { key, last } = setUp();
    key(0, interlacedKeyBytes);
    expect(last().configs[0]?.hardwareAcceleration).toBe('prefer-software');
  });

  it("carries the device's clock through the decoder", () => {
    const { key, delta, last, shown } = setUp();
    key(0);
    delta(1);
    last().output(new FakeFrame(0));
    last().output(new FakeFrame(40_000));
    expect(shown).toEqual([
      { mediaTimeUs: 0, deviceTimeMs: 1_000 },
      { mediaTimeUs: 40_000, deviceTimeMs: 1_001 },
    ]);
  });

  it('measures how long its units take to become pictures', () => {
    const { decoder, key, delta, last, advance } = setUp();
    expect(decoder.decodeMs).toBe(0);
    key(0);
    for (let frame = 0; frame < 200; frame++) {
      advance(30);
      last().output(new FakeFrame(frame * 40_000));
      delta(frame + 1);
    }
    expect(Math.round(decoder.decodeMs)).toBe(30);
  });

  it('takes a new decoder at the next key frame after a decoding error', () => {
    const { key, delta, last, decoders, faults } = setUp();
    key(0);
    last().fail('EncodingError');
    expect(delta(1)).toBe(false);
    expect(key(2)).toBe(true);
    expect(delta(3)).toBe(true);
    expect(decoders).toHaveLength(2);
    expect(faults).toEqual(['decode']);
  });

  it('blames the hardware for a second error soon after, and not for one much later', () => {
    const soon = setUp();
    soon.key(0);
    soon.last().fail('EncodingError');
    soon.key(1);
    soon.advance(2_000);
    soon.last().fail('EncodingError');
    soon.key(2);
    expect(soon.last().configs[0]?.hardwareAcceleration).toBe('prefer-software');

    const late = setUp();
    late.key(0);
    late.last().fail('EncodingError');
    late.key(1);
    late.advance(60_000);
    late.last().fail('EncodingError');
    late.key(2);
    expect(late.last().configs[0]?.hardwareAcceleration).toBe('no-preference');
  });

  it('comes back when the browser has taken the decoder away', () => {
    const { key, last, faults, decoders } = setUp();
    key(0);
    last().fail('QuotaExceededError');
    key(1);
    expect(faults).toEqual(['reclaimed']);
    expect(decoders).toHaveLength(2);
  });

  it('says once that it cannot decode a set-up, and tries another', () => {
    const { key, last, faults, decoders } = setUp();
    key(0);
    last().fail('NotSupportedError');
    expect(key(1)).toBe(false);
    expect(faults).toEqual(['codec']);
    expect(key(2, largeKeyBytes)).toBe(true);
    expect(decoders).toHaveLength(2);
  });

  describe('of H.265, which no browser decodes in software', () => {
    const hevc = { codec: Codec.H265 };
    const hevcKey = annexB(fromHex('42010101600000030090000003000003005aa005820090596566924c'), IDR);

    it('is set up from the stream with the size of its picture', () => {
      const { pushUnit, last } = setUp();
      expect(pushUnit(hevc, hevcKey)).toBe(true);
      expect(last().configs).toMatchObject([{ codec: 'hev1.1.6.L90.90', codedWidth: 704, codedHeight: 576 }]);
    });

    it('never asks for software, and after three decoders without a picture says that it cannot', () => {
      const { pushUnit, last, faults, decoders } = setUp();
      for (let attempt = 0; attempt < 3; attempt++) {
        pushUnit(hevc, hevcKey);
        last().fail('EncodingError');
      }
      expect(pushUnit(hevc, hevcKey)).toBe(false);
      expect(faults).toEqual(['decode', 'decode', 'codec']);
      expect(decoders.flatMap(({ configs }) => configs.map((each) => each.hardwareAcceleration))).toEqual(
        Array(3).fill('no-preference'),
      );
    });

    it('does not give up a stream that shows pictures between its failures', () => {
      const { pushUnit, last, faults } = setUp();
      for (let attempt = 0; attempt < 5; attempt++) {
        pushUnit(hevc, hevcKey);
        last().output(new FakeFrame(0));
        last().fail('EncodingError');
      }
      expect(faults).toEqual(Array(5).fill('decode'));
    });
  });

  it('asks the browser when a decoder fails before its first picture, and believes a no', async () => {
    const { key, last, faults } = setUp(['avc1.42c00d']);
    key(0);
    last().fail('OperationError');
    await Promise.resolve();
    await Promise.resolve();
    expect(faults).toEqual(['decode', 'codec']);
    expect([key(1), key(2, largeKeyBytes)]).toEqual([false, true]);
  });

  it('tries again after such a failure when the browser says that it can', async () => {
    const { key, last, faults } = setUp();
    key(0);
    last().fail('OperationError');
    await Promise.resolve();
    await Promise.resolve();
    expect(faults).toEqual(['decode']);
    expect(key(1)).toBe(true);
  });

  it('names a codec that it does not play, once', () => {
    const { pushUnit, faults, decoders } = setUp();
    pushUnit({ codec: Codec.Av1 }, keyBytes);
    pushUnit({ codec: Codec.Av1 }, keyBytes);
    expect(faults).toEqual(['codec']);
    expect(decoders).toHaveLength(0);
  });

  it('survives a decoder that throws', () => {
    const { key, delta, last, faults } = setUp();
    key(0);
    last().decodeError = new DOMException('not a key frame', 'DataError');
    expect(delta(1)).toBe(false);
    expect(faults).toEqual(['decode']);
    expect(key(2)).toBe(true);
  });

  it('replaces a decoder that swallows pictures within its group, the second time by one in software', () => {
    const { key, delta, decoders, advance } = setUp();
    const swallow = (first: number, last: number) => {
      for (let frame = first; frame <= last; frame++) {
        advance(40);
        delta(frame);
      }
    };
    key(0);
    swallow(1, 27);
    expect(decoders).toHaveLength(2);
    expect(decoders[0]?.state).toBe('closed');
    expect(decoders[1]?.configs).toMatchObject([{ hardwareAcceleration: 'no-preference' }]);
    // It got the whole group again, from its key frame on.
    expect(decoders[1]?.chunks.map(({ timestamp }) => timestamp / 40_000)).toEqual([...Array(28).keys()]);
    swallow(28, 60);
    expect(decoders[2]?.configs).toMatchObject([{ hardwareAcceleration: 'prefer-software' }]);
  });

  it('goes on within the group after the browser took the decoder away, and shows nothing twice', () => {
    const { key, delta, last, decoders, shown } = setUp();
    key(0);
    delta(1);
    delta(2);
    for (const frame of [0, 1, 2]) last().output(new FakeFrame(frame * 40_000));
    last().fail('QuotaExceededError');
    expect(delta(3)).toBe(true);
    expect(decoders).toHaveLength(2);
    expect(last().chunks.map(({ timestamp }) => timestamp / 40_000)).toEqual([0, 1, 2, 3]);
    const again = [0, 1].map((frame) => new FakeFrame(frame * 40_000));
    for (const frame of again) last().output(frame);
    last().output(new FakeFrame(3 * 40_000));
    expect(again.map(({ closeCount }) => closeCount)).toEqual([1, 1]);
    expect(shown.map(({ mediaTimeUs }) => mediaTimeUs / 40_000)).toEqual([0, 1, 2, 3]);
  });

  it('keeps a decoder whose pictures come, and one that gets a second of them at once after a hole', () => {
    const { key, delta, last, decoders, advance } = setUp();
    key(0);
    last().output(new FakeFrame(0));
    advance(60_000);
    for (let frame = 1; frame <= 30; frame++) delta(frame);
    key(31);
    expect(decoders).toHaveLength(1);
  });

  it('does not count pictures that the decoder dropped on its way', () => {
    const { key, delta, last, decoders } = setUp();
    key(0);
    for (let frame = 1; frame < 100; frame++) {
      delta(frame);
      if (frame % 10 === 0) last().output(new FakeFrame(frame * 40_000));
    }
    key(100);
    expect(decoders).toHaveLength(1);
  });

  it('closes pictures that come after the end, and those of a decoder that was replaced', () => {
    const { key, last, decoder, shown, delta } = setUp();
    key(0);
    const first = last();
    decoder.restart();
    key(1);
    const stale = new FakeFrame(0);
    first.output(stale);
    decoder.close();
    const late = new FakeFrame(40_000);
    last().output(late);
    expect([stale.closeCount, late.closeCount]).toEqual([1, 1]);
    expect(shown).toEqual([]);
    expect(key(2)).toBe(false);
    expect(delta(3)).toBe(false);
  });

  it('waits for a key frame on a new connection', () => {
    const { key, delta, decoder } = setUp();
    key(0);
    decoder.restart();
    expect(delta(1)).toBe(false);
    expect(key(2)).toBe(true);
  });
});

describe('StreamDecoder, of a stream without IDR pictures', () => {
  const entryBytes = accessUnit(sequenceSet(), pictureSet(), sliceOf({ type: SliceType.I, frameNumber: 4, order: 20 }));
  const leadingBytes = accessUnit(sliceOf({ type: SliceType.B, frameNumber: 5, order: 18, isReference: false }));
  const nextBytes = accessUnit(sliceOf({ type: SliceType.P, frameNumber: 5, order: 26 }));

  function begun() {
    const { pushUnit, decoder, decoders, last } = setUp();
    const push = (bytes: Uint8Array, frame: number, fields: Partial<VideoUnit> = {}) =>
      pushUnit({ key: false, mediaTimeUs: mediaUs(frame * 40_000), ...fields }, bytes);
    return {
      decoder,
      decoders,
      entry: (frame: number, discontinuity = false) =>
        push(entryBytes, frame, { key: true, dependence: 'entry', discontinuity }),
      leading: (frame: number) => push(leadingBytes, frame, { dependence: 'leading' }),
      next: (frame: number) => push(nextBytes, frame),
      given: () => last().chunks.map(({ timestamp }) => timestamp / 40_000),
      chunk: (index: number) => Buffer.from((last().chunks.at(index)?.data ?? new Uint8Array()) as Uint8Array),
    };
  }

  it('begins at an entry with an IDR picture, without the pictures that refer to before it', () => {
    const { entry, leading, next, given, chunk } = begun();
    expect([entry(10), leading(9), next(13)]).toEqual([true, false, true]);
    expect(given()).toEqual([10, 13]);
    expect(chunk(0).includes(Buffer.from([0, 0, 1, 0x45]))).toBe(true);
  });

  it('loses nothing at the entries behind it', () => {
    const { entry, leading, next, given } = begun();
    entry(10);
    next(13);
    expect([entry(20), leading(19), next(23)]).toEqual([true, true, true]);
    expect(given()).toEqual([10, 13, 20, 19, 23]);
  });

  it('begins anew at an entry before which something is missing', () => {
    const { entry, leading, next, given, chunk } = begun();
    entry(10);
    next(13);
    expect([entry(40, true), leading(39), next(43)]).toEqual([true, false, true]);
    expect(given()).toEqual([10, 13, 40, 43]);
    expect(chunk(2).includes(Buffer.from([0, 0, 1, 0x45]))).toBe(true);
  });

  it('begins at the entry again where its decoder is replaced within the group', () => {
    const { decoder, decoders, entry, leading, next, given, chunk } = begun();
    entry(10);
    next(13);
    entry(20);
    leading(19);
    decoder.drain(() => {});
    next(23);
    expect(decoders).toHaveLength(2);
    expect(given()).toEqual([20, 23]);
    expect(chunk(0).includes(Buffer.from([0, 0, 1, 0x45]))).toBe(true);
  });

  it('waits for the next key frame behind a picture that it cannot rewrite', () => {
    const { entry, next, given, decoder } = begun();
    entry(10);
    const damaged: VideoUnit = {
      ...{ byteOffset: 0, byteLength: 0, codec: Codec.H264, key: false, discontinuity: false, unseen: false },
      ...{ mediaTimeUs: mediaUs(440_000), deviceTimeMs: wallMs(0) },
    };
    expect(decoder.push(damaged, accessUnit(Uint8Array.of(0x41, 0)))).toBe(false);
    expect([next(13), entry(20)]).toEqual([false, true]);
    expect(given()).toEqual([10, 20]);
  });
});

describe('StreamDecoder, of a stream with gradual refresh', () => {
  const FRAMES = 3;
  const entryBytes = accessUnit(
    ...[sequenceSet(), pictureSet(), recoveryPoint(FRAMES)],
    sliceOf({ type: SliceType.P, frameNumber: 4, order: 20 }),
  );
  const nextBytes = accessUnit(sliceOf({ type: SliceType.P, frameNumber: 5, order: 26 }));
  const GREY = 4;

  function begun() {
    const { pushUnit, key, last, ...rest } = setUp();
    const at = (frame: number) => ({ mediaTimeUs: mediaUs(frame * 40_000) });
    return {
      ...rest,
      clean: (frame: number) => key(frame, annexB(setNamed('CIF'), PPS, IDR)),
      entry: (frame: number, discontinuity = false) =>
        pushUnit({ key: true, dependence: 'recovering', discontinuity, ...at(frame) }, entryBytes),
      next: (frame: number) => pushUnit({ key: false, ...at(frame) }, nextBytes),
      types: () => last().chunks.map(({ type }) => type),
      chunks: () => last().chunks.length,
      /** The pictures come out, in their order. */
      putOut: () => {
        for (const { timestamp } of last().chunks) last().output(new FakeFrame(timestamp));
      },
    };
  }

  it('begins with grey pictures, and shows none before the recovery point', () => {
    const { entry, next, types, putOut, shown } = begun();
    entry(10);
    for (const frame of [11, 12, 13, 14]) next(frame);
    expect(types()).toEqual(['key', ...Array.from({ length: GREY - 1 + 1 + 4 }, () => 'delta')]);
    putOut();
    expect(shown.map(({ mediaTimeUs }) => mediaTimeUs / 40_000)).toEqual([13, 14]);
  });

  it('hides nothing of a decoder that goes on, however far behind it is', () => {
    const { entry, next, chunks, decoders, putOut, shown } = begun();
    entry(0, true);
    for (let frame = 1; frame < 100; frame++) next(frame);
    entry(100);
    next(101);
    expect([decoders.length, chunks()]).toEqual([1, 102 + GREY]);
    putOut();
    expect(shown.at(-1)?.mediaTimeUs).toBe(101 * 40_000);
    expect(shown).toHaveLength(102 - FRAMES);
  });

  it('hides nothing behind a recovery point where its decoder is replaced', () => {
    const { entry, next, decoder, decoders, putOut, shown } = begun();
    entry(0);
    for (let frame = 1; frame < 10; frame++) next(frame);
    entry(10);
    next(11);
    putOut();
    const before = shown.length;
    decoder.drain(() => {});
    next(12);
    expect(decoders).toHaveLength(2);
    putOut();
    expect(shown.slice(before).map(({ mediaTimeUs }) => mediaTimeUs / 40_000)).toEqual([12]);
  });
});
