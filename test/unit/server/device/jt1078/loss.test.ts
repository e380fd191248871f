import { describe, expect, it } from 'vitest';
import {
  createRandom,
  createStream,
  intactPictures,
  PICTURE_MS,
  receive,
  type SentPacket,
  type ShownPicture,
  type StreamShape,
  sentPictures,
} from './lossyStream.ts';

const SHAPE: StreamShape = {
  pictures: 1_500,
  groupPictures: 50,
  counting: 'connection',
  channels: [1],
  isMixed: false,
};

/** The pictures that the gateway lets through when only `arrived` comes, in that order. */
function through(sent: readonly SentPacket[], arrived: readonly SentPacket[], channel = 1): ShownPicture[] {
  return receive(
    arrived.map(({ packet }) => packet),
    sentPictures(sent, channel),
    channel,
  );
}

function without(sent: readonly SentPacket[], isLost: (each: SentPacket, at: number) => boolean): SentPacket[] {
  return sent.filter((each, at) => !isLost(each, at));
}

const numbersOf = (shown: readonly ShownPicture[]): number[] => shown.map(({ number }) => number);
const firstOf = (sent: readonly SentPacket[], picture: number): number =>
  sent.findIndex((each) => each.picture === picture);

/** Every hole, and nothing else, is flagged, on the key frame behind it. */
function expectHolesFlagged(shown: readonly ShownPicture[]): void {
  const behindHoles = shown.filter(({ number }, at) => at === 0 || number !== (shown[at - 1]?.number ?? 0) + 1);
  expect(shown.filter(({ isFlagged }) => isFlagged)).toEqual(behindHoles);
  expect(behindHoles.every(({ isKey }) => isKey)).toBe(true);
}

describe('a line that loses three packets in a thousand', () => {
  const shapes = (['connection', 'channel', 'track'] as const).flatMap((counting) =>
    [false, true].flatMap((isMixed) =>
      [[1], [1, 2]].map((channels) => ({ ...SHAPE, counting, isMixed, channels, pictures: 1_500 / channels.length })),
    ),
  );

  it.each(shapes)(
    'costs the pictures that a lost packet belonged to, and those that refer to them: counted by $counting, mixed $isMixed, channels $channels',
    (shape) => {
      let shownPictures = 0;
      let intact = 0;
      for (let seed = 1; seed <= 2; seed++) {
        const random = createRandom(seed);
        const sent = createStream({ ...shape, firstSequence: 60_000 }, random);
        const arrived = without(sent, (_, at) => at > 200 && random() < 0.003);
        for (const channel of shape.channels) {
          const shown = through(sent, arrived, channel);
          const ideal = intactPictures(sent, new Set(arrived), channel);
          expect(shown.filter(({ isDamaged }) => isDamaged)).toEqual([]);
          const idealSet = new Set(ideal);
          expect(numbersOf(shown).filter((number) => !idealSet.has(number))).toEqual([]);
          expectHolesFlagged(shown);
          shownPictures += shown.length;
          intact += ideal.length;
        }
      }
      expect(intact).toBeGreaterThan(1_000);
      expect(shownPictures).toBe(intact);
    },
  );
});

describe('lost sound', () => {
  it.each(['connection', 'channel', 'track'] as const)('costs no picture: counted by %s', (counting) => {
    const sent = createStream({ ...SHAPE, pictures: 300, counting }, createRandom(3));
    const arrived = without(sent, ({ picture }, at) => picture === undefined && at > 100 && at % 3 === 0);
    expect(sent.length - arrived.length).toBeGreaterThan(20);
    expect(numbersOf(through(sent, arrived))).toEqual(Array.from({ length: 300 }, (_, number) => number));
  });
});

describe('a hole', () => {
  const sent = createStream({ ...SHAPE, pictures: 300 }, createRandom(4));
  const isKey = ({ packet }: SentPacket): boolean => packet.dataType === 0;

  it.each<[string, (each: SentPacket) => boolean, number]>([
    ['the first packet of a key frame is lost', (each) => each === sent[firstOf(sent, 100)], 50],
    ['a whole key frame is lost', (each) => each.picture === 100, 50],
    ['the middle of a key frame is lost', (each) => each === sent[firstOf(sent, 100) + 3], 50],
    ['only the last picture of a group is lost', (each) => each.picture === 99, 1],
    ['only the last packet of a group is lost', (each) => each === sent.findLast(({ picture }) => picture === 99), 1],
    ['a whole group is lost', ({ picture = -1 }) => picture >= 100 && picture < 150, 50],
    ['pictures and sound are lost for a while', ({ packet }) => numberAt(packet) >= 90 && numberAt(packet) < 160, 110],
    [
      'all key frames but the first and the last are lost',
      (each) => isKey(each) && each.picture !== 0 && each.picture !== 250,
      200,
    ],
  ])('is flagged at the next key frame when %s', (_what, isLost, missing) => {
    const shown = through(sent, without(sent, isLost));
    expect(300 - shown.length).toBe(missing);
    expectHolesFlagged(shown);
    expect(shown.filter(({ isFlagged }) => isFlagged)).toHaveLength(2);
  });

  it.each<[string, (at: number) => number]>([
    ['that stands still', () => 7],
    ['that goes on as if nothing were missing', (at) => at],
  ])('of seconds is flagged by the times of its pictures under a number %s', (_what, sequenceOf) => {
    const kept = without(sent, ({ picture = 0 }) => picture >= 90 && picture < 150);
    const arrived = kept.map((each, at) => ({ ...each, packet: { ...each.packet, sequence: sequenceOf(at) } }));
    const shown = through(sent, arrived);
    expect(shown).toHaveLength(240);
    expectHolesFlagged(shown);
  });

  function numberAt({ timestampMs = 0 }: SentPacket['packet']): number {
    return (timestampMs - (sent[0]?.packet.timestampMs ?? 0)) / PICTURE_MS;
  }
});

describe('a packet that comes twice', () => {
  const sent = createStream({ ...SHAPE, pictures: 300, isMixed: true }, createRandom(5));
  const all = Array.from({ length: 300 }, (_, number) => number);
  const numbers: [string, (each: SentPacket, at: number) => number][] = [
    ['that counts', ({ packet }) => packet.sequence],
    ['that wraps', ({ packet }) => (packet.sequence + 65_000) & 0xffff],
    ['that stands still', () => 7],
    ['of each frame', ({ packet }) => ((packet.timestampMs ?? 0) / PICTURE_MS) & 0xffff],
  ];

  it.each(numbers)('at once damages nothing, under a number %s', (_what, sequenceOf) => {
    const numbered = sent.map((each, at) => ({ ...each, packet: { ...each.packet, sequence: sequenceOf(each, at) } }));
    const shown = through(
      numbered,
      numbered.flatMap((each) => [each, each]),
    );
    expect(numbersOf(shown)).toEqual(all);
    expect(shown.filter(({ isDamaged, isFlagged }) => isDamaged || isFlagged)).toHaveLength(1);
  });

  it('some packets later damages nothing', () => {
    const arrived = sent.flatMap((each, at) => [each, ...sent.slice(Math.max(0, at - 5), Math.max(0, at - 4))]);
    const shown = through(sent, arrived);
    expect(numbersOf(shown)).toEqual(all);
    expect(shown.some(({ isDamaged }) => isDamaged)).toBe(false);
  });
});

describe('a line that swaps packets', () => {
  it('lets no damaged picture through, and flags every hole', () => {
    const sent = createStream({ ...SHAPE, pictures: 300 }, createRandom(6));
    const arrived = [...sent];
    for (let at = 150; at + 1 < arrived.length; at += 97) arrived.splice(at, 2, ...arrived.slice(at, at + 2).reverse());
    const shown = through(sent, arrived);
    expect(shown.length).toBeGreaterThan(50);
    expect(shown.filter(({ isDamaged }) => isDamaged)).toEqual([]);
    expectHolesFlagged(shown);
  });
});

describe('no damaged picture comes through', () => {
  const random = createRandom(7);
  type Change = (each: SentPacket) => Partial<SentPacket['packet']>;
  it.each<[string, Change]>([
    ['intervals that say nothing', () => ({ lastFrameIntervalMs: 0xffff })],
    ['intervals that are always the same', () => ({ lastFrameIntervalMs: PICTURE_MS })],
    ['stamps that never move', () => ({ timestampMs: 0, lastFrameIntervalMs: 0 })],
    [
      'stamps of a B pyramid',
      ({ picture = 0, packet }) => ({
        timestampMs: (packet.timestampMs ?? 0) + ([0, 120, -40, -40].at(picture % 4) ?? 0),
      }),
    ],
    [
      'sound that is stamped anyhow',
      ({ picture, packet }) =>
        picture === undefined ? { timestampMs: (packet.timestampMs ?? 0) + Math.floor(random() * 200) } : {},
    ],
  ])('with %s, at a loss of two in a hundred', (_what, change) => {
    for (let seed = 1; seed <= 3; seed++) {
      const draw = createRandom(seed);
      const made = createStream({ ...SHAPE, pictures: 600, groupPictures: 10, isMixed: seed % 2 === 0 }, draw);
      const sent = made.map((each) => ({ ...each, packet: { ...each.packet, ...change(each) } }));
      const arrived = without(sent, () => draw() < 0.02);
      const shown = through(sent, arrived);
      const intact = new Set(intactPictures(sent, new Set(arrived), 1));
      expect(shown.length).toBeGreaterThan(100);
      expect(shown.filter(({ isDamaged, number }) => isDamaged || !intact.has(number))).toEqual([]);
      expectHolesFlagged(shown);
    }
  });
});
