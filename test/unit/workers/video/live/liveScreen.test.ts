// A live stream from arrivals to paints, with a decoder that gives pictures in the order of showing, on a clock that the test moves.
import { describe, expect, it } from 'vitest';
import { type MediaUs, mediaUs, wallMs } from '../../../../../shared/protocol/time.ts';
import { SoundDelay } from '../../../../../workers/audio/soundDelay.ts';
import { LiveScreen } from '../../../../../workers/video/live/liveScreen.ts';
import { PlayoutClock } from '../../../../../workers/video/live/playoutClock.ts';
import type { VideoUnit } from '../../../../../workers/video/messages.ts';
import { ManualTimers } from '../../../../support/fakes/manualTimers.ts';
import { FakeFrame } from '../decode/fakeDecoder.ts';
import { closedGroups, flat, ORDERS, openGroups, pyramid, type SentPicture } from '../decode/pictureOrders.ts';

const FRAME_MS = 40;
const DECODE_MS = 4;
const HOUR_MS = 3_600_000;
/** Until a network's lateness is known, and the deepest order. */
const LEARNING = 60;

/**
 * `in turn`: holds as many pictures as its parameter sets say and gives one for each that comes. `eager`: gives a picture as soon as
 * all before it are out.
 */
type DecoderKind = 'in turn' | 'eager';

interface SetUp {
  readonly decoder?: DecoderKind;
  readonly depth?: number;
  readonly mayReorder?: boolean | undefined;
  readonly hasBursts?: boolean;
}

function setUp({ decoder = 'in turn', depth = 0, mayReorder, hasBursts = true }: SetUp = {}) {
  const timers = new ManualTimers();
  /** Pictures by the order of showing, and when. */
  const painted: { readonly number: number; readonly atMs: number }[] = [];
  const leftOut: number[] = [];
  const times: MediaUs[] = [];
  const decodedAtMs: number[] = [];
  const frames: FakeFrame[] = [];
  const sent: number[] = [];
  const held: { readonly number: number; readonly timeUs: number }[] = [];
  let decoded = 0;
  let next = 0;
  const give = (index: number) => {
    const [picture] = held.splice(index, 1);
    if (picture === undefined) return;
    next = picture.number + 1;
    const frame = new FakeFrame(picture.timeUs);
    frames.push(frame);
    const mediaTimeUs = mediaUs(picture.timeUs);
    const { number } = picture;
    timers.runAfter(DECODE_MS, () => {
      numbers.set(frame, number);
      screen.decoded(frame as unknown as VideoFrame, { mediaTimeUs, deviceTimeMs: wallMs(0) });
    });
  };
  const numbers = new Map<unknown, number>();
  const screen: LiveScreen = new LiveScreen({
    ...timers,
    hasBursts,
    mayReorder: () => mayReorder,
    decode: ({ mediaTimeUs }) => {
      decodedAtMs.push(timers.now());
      held.push({ number: sent[decoded++] ?? 0, timeUs: mediaTimeUs });
      held.sort((left, right) => left.number - right.number);
      if (decoder === 'in turn' && held.length > depth) give(0);
      while (decoder === 'eager' && held[0]?.number === next) give(0);
      return true;
    },
    show: (frame, shown) => {
      painted.push({ number: numbers.get(frame) ?? -1, atMs: timers.now() });
      times.push(shown.mediaTimeUs);
      frame.close();
      return true;
    },
    onLeftOut: ({ mediaTimeUs }) => leftOut.push(mediaTimeUs),
  });
  /** A picture arrives; its stamp is off by `byMs`. */
  const receive = ({ number, key }: SentPicture, { byMs = 0, discontinuity = false } = {}) => {
    sent.push(number);
    const place = { byteOffset: 0, byteLength: 0, codec: 1, unseen: false, deviceTimeMs: wallMs(0) };
    const unit: VideoUnit = { ...place, key, discontinuity, mediaTimeUs: mediaUs((number * FRAME_MS + byMs) * 1_000) };
    screen.push(unit, new Uint8Array(), timers.now());
  };
  /** Each at its moment, which is of this clock. */
  const play = (pictures: readonly SentPicture[], arrivesMs: (index: number) => number) => {
    pictures.forEach((picture, index) => {
      timers.advance(Math.max(0, arrivesMs(index) - timers.now()));
      receive(picture);
    });
    timers.advance(2_000);
  };
  return { timers, screen, painted, leftOut, times, decodedAtMs, frames, receive, play };
}

type Painted = ReturnType<typeof setUp>['painted'];
const evenly = (index: number) => 1_000 + index * FRAME_MS;
const gaps = (painted: Painted) => painted.slice(1).map(({ atMs }, index) => atMs - (painted[index]?.atMs ?? 0));
const upTo = (count: number, from = 0) => Array.from({ length: count }, (_, index) => from + index);
const numbersOf = (painted: Painted) => painted.map(({ number }) => number);

/** The same for every run. */
function chance(): () => number {
  let seed = 11;
  return () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return seed / 2 ** 31;
  };
}

/** In order, each late by up to 60 ms. */
function jittered(count: number): (index: number) => number {
  const random = chance();
  let arrivedMs = 0;
  const arrivals = upTo(count).map((index) => {
    arrivedMs = Math.max(arrivedMs, evenly(index) + random() * 60);
    return arrivedMs;
  });
  return (index) => arrivals[index] ?? 0;
}

describe.each<DecoderKind>(['in turn', 'eager'])('live pictures out of a decoder that gives them %s', (decoder) => {
  it.each(ORDERS)('%s: are painted evenly, and none is missing', (_name, order, depth) => {
    const { play, painted, frames } = setUp({ decoder, depth });
    const sent = closedGroups(order, Math.ceil(150 / (3 * order.length)));
    play(sent, evenly);
    const last = sent.length - (decoder === 'in turn' ? depth : 0);
    expect(numbersOf(painted)).toEqual(upTo(last));
    const settled = gaps(painted.slice(2 * order.length + 1, -depth - 1));
    expect(Math.max(...settled.map((gap) => Math.abs(gap - FRAME_MS)))).toBeLessThanOrEqual(DECODE_MS);
    expect(frames.every(({ closeCount }) => closeCount === 1)).toBe(true);
  });

  it.each(ORDERS)(
    '%s: are shown as soon as they can be, and none is held back for its order alone',
    (_name, order, depth) => {
      const { play, painted, screen } = setUp({ decoder, depth });
      const sent = openGroups(order, Math.ceil(120 / (3 * order.length)));
      play(sent, evenly);
      expect(screen.delayMs).toBe(0);
      const behind = painted.slice(LEARNING).map(({ number, atMs }) => atMs - evenly(number + depth));
      expect(Math.max(...behind)).toBeLessThanOrEqual(DECODE_MS);
    },
  );

  it.each(ORDERS)('%s: come evenly over a network that is uneven', (_name, order, depth) => {
    const { play, painted } = setUp({ decoder, depth });
    const sent = closedGroups(order, Math.ceil(400 / (3 * order.length)));
    play(sent, jittered(sent.length));
    const last = sent.length - (decoder === 'in turn' ? depth : 0);
    expect(numbersOf(painted)).toEqual(upTo(last));
    const settled = gaps(painted.slice(200)).sort((left, right) => left - right);
    expect(settled[Math.floor(settled.length * 0.05)]).toBeGreaterThanOrEqual(25);
    expect(settled[Math.floor(settled.length * 0.95)]).toBeLessThanOrEqual(55);
  });

  it('come evenly from an encoder that sends a reference and the pictures before it together', () => {
    const { play, painted } = setUp({ decoder, depth: 1 });
    const sent = closedGroups(flat(2), 30);
    let latest = 0;
    const arrivals = sent.map(({ number }) => {
      latest = Math.max(latest, number);
      return evenly(latest);
    });
    play(sent, (index) => arrivals[index] ?? 0);
    expect(numbersOf(painted)).toEqual(upTo(painted.length));
    const settled = gaps(painted.slice(150, -3));
    expect(Math.max(...settled.map((gap) => Math.abs(gap - FRAME_MS)))).toBeLessThanOrEqual(10);
  });

  it.each([true, false])('are told when they are shown, for sound to wait for them (bursts: %s)', (hasBursts) => {
    const { timers, receive, screen, painted, times } = setUp({ decoder, depth: 1, hasBursts });
    closedGroups(flat(2), 10).forEach((picture, index) => {
      timers.advance(evenly(index) - timers.now());
      receive(picture);
    });
    const [last, lastUs] = [painted.at(-1), times.at(-1)];
    const shownMs = (lastUs ?? 0) / 1_000 + (screen.showingOffsetMs ?? 0);
    expect(Math.abs((last?.atMs ?? 0) - shownMs)).toBeLessThanOrEqual(DECODE_MS + FRAME_MS);
    expect(setUp().screen.showingOffsetMs).toBeUndefined();
  });
});

describe.each<DecoderKind>(['in turn', 'eager'])('the sound beside pictures that a decoder gives %s', (decoder) => {
  it.each(ORDERS)('%s: is heard with the picture of its moment, however uneven the network', (_name, order, depth) => {
    const { timers, receive, screen, painted } = setUp({ decoder, depth });
    const sent = closedGroups(order, Math.ceil(400 / (3 * order.length)));
    const [arrivesMs, sound] = [jittered(sent.length), new SoundDelay()];
    const delaysMs: number[] = [];
    sent.forEach((picture, index) => {
      timers.advance(Math.max(0, arrivesMs(index) - timers.now()));
      // A device sends its sound at once, and its pictures in their own order.
      sound.arrived(mediaUs(index * FRAME_MS * 1_000), timers.now());
      receive(picture);
      const { delayMs, showingOffsetMs } = screen;
      const heardLaterMs = sound.delayMs({ delayMs, showingOffsetMs });
      // Played evenly from the earliest of its arrivals on.
      delaysMs[index] = evenly(index) + heardLaterMs;
    });
    timers.advance(2_000);
    const apartMs = painted.slice(200, 350).map(({ number, atMs }) => atMs - (delaysMs[number] ?? Number.NaN));
    expect(Math.max(...apartMs.map(Math.abs))).toBeLessThanOrEqual(80);
  });
});

describe('a burst of reordered pictures', () => {
  it.each(ORDERS)('%s: shows its newest alone, and all from there on', (_name, order, depth) => {
    const { timers, receive, painted } = setUp({ depth });
    const sent = closedGroups(order, Math.ceil(100 / (3 * order.length)));
    timers.advance(1_000);
    const burst = 3 * order.length;
    for (const picture of sent.slice(0, burst)) receive(picture);
    sent.slice(burst).forEach((picture, index) => {
      timers.advance(1_000 + (index + 1) * FRAME_MS - timers.now());
      receive(picture);
    });
    const [first = 0] = numbersOf(painted);
    expect(first).toBe(burst - 1 - depth);
    expect(numbersOf(painted)).toEqual(upTo(painted.length, first));
  });
});

describe('a stream without B pictures', () => {
  it.each([undefined, true, false])(
    'is decoded exactly when the playout clock says (sets allow them: %s)',
    (mayReorder) => {
      const { play, decodedAtMs, painted } = setUp({ mayReorder });
      const sent = closedGroups([1], 200);
      const arrivals = jittered(sent.length);
      play(sent, arrivals);
      const clock = new PlayoutClock();
      let turnMs = 0;
      const turns = sent.map(({ number }, index) => {
        turnMs = Math.max(turnMs, clock.arrived(mediaUs(number * FRAME_MS * 1_000), arrivals(index)));
        return turnMs;
      });
      expect(decodedAtMs.map((atMs, index) => Math.abs(atMs - (turns[index] ?? 0)) <= 0.5)).toEqual(
        turns.map(() => true),
      );
      // What comes out of the decoder is painted at that moment.
      expect(painted.slice(3).map(({ atMs, number }) => atMs - (decodedAtMs[number] ?? 0))).toEqual(
        painted.slice(3).map(() => expect.closeTo(DECODE_MS, 6)),
      );
    },
  );
});

describe('a clock that is set in the middle of a group', () => {
  const jumps = [HOUR_MS, -HOUR_MS, 8_000, -8_000];
  const cases = ORDERS.slice(0, 6).flatMap(([name, order, depth]) =>
    jumps.map((byMs) => [name, byMs, order, depth] as const),
  );

  it.each(cases)('%s, by %d ms: costs no picture, and the next ones come in time', (_name, byMs, order, depth) => {
    const { timers, receive, painted, times, screen } = setUp({ depth });
    const sent = closedGroups(order, Math.ceil(160 / (3 * order.length)));
    // The first picture of a reference and those that are shown before it.
    const at = sent.findIndex(
      ({ number, key }, index) => index >= 80 && !key && index % (3 * order.length + 1) === 1 && number > 0,
    );
    sent.forEach((picture, index) => {
      timers.advance(Math.max(0, evenly(index) - timers.now()));
      receive(picture, index < at ? {} : { byMs, discontinuity: index === at });
    });
    timers.advance(2_000);
    expect(numbersOf(painted)).toEqual(upTo(sent.length - depth));
    expect(Math.max(...gaps(painted.slice(40, -depth - 1)))).toBeLessThanOrEqual(2 * FRAME_MS + DECODE_MS);
    expect(times.map((timeUs, index) => timeUs / 1_000 - index * FRAME_MS)).toEqual(
      times.map((_, index) => (index < at ? 0 : byMs)),
    );
    expect(screen.delayMs).toBe(0);
  });

  it('costs none when the clock goes back without a word', () => {
    const { timers, receive, painted, screen } = setUp({ mayReorder: false });
    upTo(200).forEach((number) => {
      timers.advance(Math.max(0, evenly(number) - timers.now()));
      receive({ number, key: number % 50 === 0 }, { byMs: number < 120 ? 0 : -3_000 });
    });
    timers.advance(1_000);
    expect(numbersOf(painted)).toEqual(upTo(200));
    expect(Math.max(...gaps(painted))).toBeLessThanOrEqual(FRAME_MS);
    expect(screen.delayMs).toBe(0);
  });

  it('within a burst hides none of what follows', () => {
    const { timers, receive, painted } = setUp();
    timers.advance(1_000);
    for (const number of upTo(40)) {
      receive({ number, key: number === 0 }, { byMs: number < 20 ? 0 : -HOUR_MS, discontinuity: number === 20 });
    }
    for (const number of upTo(20, 40)) {
      timers.advance(FRAME_MS);
      receive({ number, key: false }, { byMs: -HOUR_MS });
    }
    timers.advance(1_000);
    expect(numbersOf(painted)).toEqual(upTo(21, 39));
  });
});

describe('what is held', () => {
  it('is closed with the screen, and not shown any more', () => {
    const { timers, receive, screen, painted, frames } = setUp({ decoder: 'eager', depth: 3 });
    const sent = closedGroups(pyramid(3), 5);
    sent.forEach((picture, index) => {
      timers.advance(Math.max(0, evenly(index) - timers.now()));
      receive(picture);
    });
    timers.advance(DECODE_MS);
    const before = painted.length;
    screen.close();
    screen.close();
    timers.advance(2_000);
    expect(painted).toHaveLength(before);
    expect(frames.every(({ closeCount }) => closeCount === 1)).toBe(true);
    expect(frames.length).toBeGreaterThan(before);
    expect(timers.pending).toBe(0);
  });

  it('is at most four pictures, whatever the clock says', () => {
    const { timers, receive, frames } = setUp({ decoder: 'eager', depth: 5 });
    let most = 0;
    const sent = closedGroups(pyramid(5), 4);
    sent.forEach((picture, index) => {
      timers.advance(Math.max(0, evenly(index) - timers.now()));
      receive(picture);
      timers.advance(DECODE_MS);
      most = Math.max(most, frames.filter(({ closeCount }) => closeCount === 0).length);
    });
    // The deepest order has five pictures come out of the decoder at once.
    expect(most).toBe(4);
  });
});
