import { describe, expect, it } from 'vitest';
import { CustomTypes } from '../../../../../server/events/signals/customTypes.ts';
import { observationOf } from '../../../../../server/events/signals/observation.ts';
import { Origin } from '../../../../../server/events/signals/signal.ts';
import { videoSignals } from '../../../../../server/events/signals/videoSignals.ts';
import { item, openAfter, positionReport } from './reports.ts';

type Items = Parameters<typeof item>[];

const signalsOf = (...items: Items) =>
  videoSignals(positionReport({ items: items.map(([id, hex]) => item(id, hex)) }).details);
const observed = (...items: Items) =>
  observationOf(positionReport({ items: items.map(([id, hex]) => item(id, hex)) }), new CustomTypes([]));
/** What is open after positions that have these items. */
const openAfterItems = (...positions: Items[]) => openAfter(positions.map((items) => observed(...items)));

const held = (type: string, unit: number, origin: Origin) => ({ type, unit, area: 0, form: 'held', origin });

describe('the items 0x14 to 0x18', () => {
  it.each([
    [0, 'video-loss'],
    [1, 'video-covered'],
    [2, 'storage-fault'],
    [3, 'video-fault'],
    [4, 'passenger-overload'],
    [5, 'abnormal-driving'],
    [6, 'alarm-recording-full'],
  ])('0x14 alone says in bit %d: %s, of the device as a whole', (bit, type) => {
    const hex = (1 << bit).toString(16).padStart(8, '0');
    expect(signalsOf([0x14, hex])).toEqual([held(type, 0, Origin.VideoAlarms)]);
  });

  it('0x14 says nothing in its reserved bits', () => {
    expect(signalsOf([0x14, 'ffffff80'])).toEqual([]);
    expect(signalsOf([0x14, '7fffffff'])).toHaveLength(7);
  });

  it.each([
    [0x15, 'video-loss', Origin.VideoLoss],
    [0x16, 'video-covered', Origin.VideoCovered],
  ])('item %i names channels from 1 to 32', (id, type, origin) => {
    expect(signalsOf([id, '80000001'])).toEqual([held(type, 1, origin), held(type, 32, origin)]);
    expect(signalsOf([id, '00000000'])).toEqual([]);
    expect(signalsOf([id, 'ffffffff'])).toHaveLength(32);
  });

  it('0x17 names storages: 1 to 12 the main ones, 13 to 16 the backup ones', () => {
    const units = signalsOf([0x17, '9801']).map(({ unit }) => unit);
    expect(units).toEqual([1, 12, 13, 16]);
    expect(signalsOf([0x17, '0001'])).toEqual([held('storage-fault', 1, Origin.Storage)]);
  });

  it.each([
    ['0001', [{ type: 'fatigue' }]],
    ['00012a', [{ type: 'fatigue', value: 42 }]],
    ['000100', [{ type: 'fatigue', value: 0 }]],
    ['000164', [{ type: 'fatigue', value: 100 }]],
    ['0002', [{ type: 'phone-use' }]],
    ['0004', [{ type: 'smoking' }]],
    ['0007', [{ type: 'fatigue' }, { type: 'phone-use' }, { type: 'smoking' }]],
    ['080000', [{ type: 'abnormal-driving' }]],
    ['8000', [{ type: 'abnormal-driving' }]],
    ['f800', [{ type: 'abnormal-driving' }]],
    ['07f8', []],
    ['0000', []],
  ])('0x18 %s is %j', (hex, expected) => {
    const common = { unit: 0, area: 0, form: 'held', origin: Origin.AbnormalDriving };
    expect(signalsOf([0x18, hex])).toEqual(expected.map((signal) => ({ ...common, ...signal })));
  });

  it('0x18 has no degree of fatigue above 100', () => {
    expect(signalsOf([0x18, '000165'])[0]).not.toHaveProperty('value');
  });

  it.each([
    [0x14, '01'],
    [0x15, 'ff'],
    [0x16, 'ffff'],
    [0x17, 'ff'],
    [0x18, 'ffffffff'],
  ])("item %i in another length (%s) is a vendor's own", (id, hex) => {
    expect(signalsOf([id, hex])).toEqual([]);
  });
});

describe('item 0x14 beside the others', () => {
  it('is of no signal of its own where they say what it is about', () => {
    const units = signalsOf([0x14, '00000003'], [0x15, '00000002'], [0x16, '00000004']);
    expect(units).toEqual([held('video-loss', 2, Origin.VideoLoss), held('video-covered', 3, Origin.VideoCovered)]);
    expect(signalsOf([0x14, '00000020'], [0x18, '0002']).map(({ type }) => type)).toEqual(['phone-use']);
  });

  it('is one where they say nothing', () => {
    expect(signalsOf([0x14, '00000001'], [0x15, '00000000'])).toEqual([held('video-loss', 0, Origin.VideoAlarms)]);
    expect(signalsOf([0x14, '00000020'], [0x18, '0008'])).toEqual([held('abnormal-driving', 0, Origin.VideoAlarms)]);
  });

  it('does not have to say what they say', () => {
    expect(signalsOf([0x14, '00000000'], [0x17, '0002'])).toEqual([held('storage-fault', 2, Origin.Storage)]);
  });
});

describe('what a position leaves out', () => {
  it('has ended, be it of an item or the item itself', () => {
    expect(openAfterItems([[0x15, '00000003']])).toEqual(['video-loss 1', 'video-loss 2']);
    expect(openAfterItems([[0x15, '00000003']], [[0x15, '00000002']])).toEqual(['video-loss 2']);
    expect(openAfterItems([[0x15, '00000003']], [])).toEqual([]);
  });

  it.each([
    [0x14, '0000007f'],
    [0x15, 'ffffffff'],
    [0x16, 'ffffffff'],
    [0x17, 'ffff'],
    [0x18, 'f807'],
  ])('never stays open: item %i', (id, hex) => {
    expect(openAfterItems([[id, hex]])).not.toEqual([]);
    expect(openAfterItems([[id, hex]], [])).toEqual([]);
    expect(openAfterItems([[id, hex]], [[0x14, '00000000']])).toEqual([]);
    expect(
      openAfterItems(
        [
          [id, hex],
          [0x14, '0000007f'],
        ],
        [],
      ),
    ).toEqual([]);
  });

  it.each([
    [0, 0x15, '00000002', ['video-loss 2', 'video-loss']],
    [1, 0x16, '00000002', ['video-covered 2', 'video-covered']],
    [2, 0x17, '0002', ['storage-fault 2', 'storage-fault']],
    [5, 0x18, '0002', ['phone-use', 'abnormal-driving']],
  ] as const)('lasts while bit %d of item 0x14 says so (item %i)', (bit, id, hex, both) => {
    const alarms = (1 << bit).toString(16).padStart(8, '0');
    const begun: Items = [
      [0x14, alarms],
      [id, hex],
    ];
    expect(openAfterItems(begun, [[0x14, alarms]])).toEqual(both);
    expect(openAfterItems(begun, [[0x14, alarms]], [[0x14, '00000000']])).toEqual([]);
    expect(openAfterItems(begun, [[0x14, alarms]], [])).toEqual([]);
  });

  it('of one item is not held up by a bit of another', () => {
    const first: Items = [
      [0x14, '00000003'],
      [0x15, '00000001'],
      [0x16, '00000001'],
    ];
    const second: Items = [
      [0x14, '00000002'],
      [0x16, '00000001'],
    ];
    expect(openAfterItems(first, second)).toEqual(['video-covered 1']);
  });

  it('is the device as a whole once a channel is named', () => {
    const named: Items = [
      [0x14, '00000001'],
      [0x15, '00000004'],
    ];
    expect(openAfterItems([[0x14, '00000001']], named)).toEqual(['video-loss 3']);
  });
});
