import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { offeredColors, PALETTE } from '../../../../pages/innerpage/eventdefine/look/palette.ts';
import {
  checkReason,
  draftOfReason,
  NEW_REASON,
  reasonList,
  reasonOfDraft,
} from '../../../../pages/innerpage/eventdefine/reasons/reasonForm.ts';
import {
  checkSource,
  NEW_SOURCE,
  readNumber,
  type SourceDraft,
  type SourceTexts,
  sourceDraftOf,
  sourceOf,
} from '../../../../pages/innerpage/eventdefine/types/sourceForm.ts';
import {
  checkType,
  contentWith,
  draftOfType,
  NEW_TYPE,
  type TypeDraft,
  typeOfDraft,
} from '../../../../pages/innerpage/eventdefine/types/typeForm.ts';
import type { EventTypeRecord } from '../../../../shared/protocol/api/eventTypes.ts';
import { type CustomSource, faultsOfMatch } from '../../../../shared/protocol/events/customSource.ts';
import { hasProblem } from '../../../../shared/ui/form/formState.ts';
import { localPage } from '../../../../shared/ui/table/localPage.ts';
import { anyEventType, anyReason } from '../../../support/anyEventType.ts';

const SOURCE_TEXTS: SourceTexts = {
  badId: 'id',
  badOffset: 'offset',
  badNumber: 'number',
  badMask: 'mask',
  badValue: 'value',
};
const TEXTS = { ...SOURCE_TEXTS, noName: 'name', badSeconds: 'seconds' };

const record = (changes: Partial<EventTypeRecord> = {}): EventTypeRecord => ({
  ...anyEventType(),
  code: 'custom-1',
  version: 3,
  isBuiltIn: false,
  unit: 'none',
  hasRule: false,
  ...changes,
});

const problemsOf = (draft: Partial<TypeDraft>, isBuiltIn = false) => {
  const problems = checkType({ ...NEW_TYPE, nameEn: 'A', sourceId: '0xE1', ...draft }, TEXTS, isBuiltIn);
  return Object.fromEntries(Object.entries(problems).filter(([, text]) => text !== undefined));
};

describe('the form of an event type', () => {
  test('gives back what it was filled with', () => {
    expect(typeOfDraft(draftOfType(record()), false)).toEqual(anyEventType());
    const passthrough = record({ source: { kind: 'passthrough', passthroughType: 0x41, match: null } });
    expect(typeOfDraft(draftOfType(passthrough), false).source).toEqual(passthrough.source);
    const builtIn = record({ source: null, isBuiltIn: true, nameEn: '' });
    expect(typeOfDraft(draftOfType(builtIn), true)).toEqual({ ...anyEventType(), source: null, nameEn: '' });
  });

  test('takes spaces from names, and puts channels in their order', () => {
    const draft = { ...draftOfType(record()), nameEn: ' A ', nameZh: ' ', snapshotChannels: ['12', '3'] };
    expect(typeOfDraft(draft, false)).toMatchObject({ nameEn: 'A', nameZh: '', snapshotChannels: [3, 12] });
  });

  test('turns a type off and changes nothing else', () => {
    expect(contentWith(record(), false)).toEqual({ ...anyEventType(), enabled: false });
    expect(contentWith(record({ isBuiltIn: true, source: null }), true).source).toBeNull();
  });

  test('needs a name and what raises it, unless the type is built in', () => {
    expect(problemsOf({})).toEqual({});
    expect(problemsOf({ nameEn: ' ', sourceId: '' })).toEqual({ nameEn: 'name', sourceId: 'id' });
    expect(problemsOf({ nameEn: '', sourceId: '' }, true)).toEqual({});
  });

  test.each([null, -1, 1.5, 301, Number.NaN])('takes no clip of %s seconds', (seconds) => {
    expect(problemsOf({ clipBeforeS: seconds }, true)).toEqual({ clipBeforeS: 'seconds' });
    expect(problemsOf({ clipAfterS: seconds }, true)).toEqual({ clipAfterS: 'seconds' });
  });

  test('takes clips of 0 to 300 seconds', () => {
    expect(problemsOf({ clipBeforeS: 0, clipAfterS: 300 })).toEqual({});
  });
});

describe('what raises a type', () => {
  test.each([
    ['0xE1', 225],
    ['225', 225],
    [' 0xffffffff ', 0xffffffff],
    ['２５', 25],
    ['0', 0],
  ])('is a number: %s', (text, number) => {
    expect(readNumber(text)).toBe(number);
  });

  test.each(['', '0x', '-1', '1.5', 'E1', '4294967296', '0x100000000', '1e3', '0b1'])('is none: %s', (text) => {
    expect(readNumber(text)).toBeUndefined();
  });

  test.each<[Partial<SourceDraft>, object]>([
    [{ sourceId: '256' }, { sourceId: 'id' }],
    [{ offset: 251 }, { offset: 'offset' }],
    [{ offset: null }, { offset: 'offset' }],
    [{ mask: 'x' }, { mask: 'number' }],
    [{ value: '' }, { value: 'number' }],
    [{ mask: '0x100' }, { mask: 'mask' }],
    [{ mask: '0x04', value: '0x06' }, { value: 'value' }],
  ])('has no such numbers: %o', (changes, problems) => {
    expect(problemsOf(changes)).toEqual(problems);
  });

  test('asks for no bytes where any will do, which a position item does not', () => {
    const any = { hasMatch: false, mask: 'x', value: '', offset: null };
    expect(problemsOf({ ...any, sourceKind: 'passthrough' })).toEqual({});
    expect(Object.keys(problemsOf({ ...any, sourceKind: 'position-item' }))).toEqual(['offset', 'mask', 'value']);
  });

  test('is the same after it was in the form', () => {
    const match = fc
      .record({
        offset: fc.integer({ min: 0, max: 250 }),
        width: fc.integer({ min: 1, max: 4 }),
        mask: fc.integer({ min: 0, max: 0xffffffff }),
        value: fc.integer({ min: 0, max: 0xffffffff }),
      })
      .map((each) => {
        const mask = each.mask % 256 ** each.width;
        return { ...each, mask, value: (each.value & mask) >>> 0 };
      });
    const byte = fc.integer({ min: 0, max: 255 });
    const source: fc.Arbitrary<CustomSource> = fc.oneof(
      fc.record({
        kind: fc.constant('position-item' as const),
        itemId: byte,
        match,
        form: fc.constantFrom('held' as const, 'momentary' as const),
      }),
      fc.record({ kind: fc.constant('passthrough' as const), passthroughType: byte, match: fc.option(match) }),
    );
    fc.assert(
      fc.property(source, (given) => {
        const draft = sourceDraftOf(given);
        expect(hasProblem(checkSource(draft, SOURCE_TEXTS))).toBe(false);
        expect(sourceOf(draft)).toEqual(given);
        expect(given.match === null ? {} : faultsOfMatch(given.match)).toEqual({});
      }),
    );
  });

  test('begins as one that can be saved once it is named', () => {
    expect(hasProblem(checkSource({ ...NEW_SOURCE, sourceId: '1' }, SOURCE_TEXTS))).toBe(false);
  });
});

describe('the colors', () => {
  test('are those of the palette, and one that the type has besides', () => {
    const palette = Object.values(PALETTE);
    expect(offeredColors('')).toEqual(palette);
    expect(offeredColors(PALETTE.teal)).toEqual(palette);
    expect(offeredColors('#123456')).toEqual(['#123456', ...palette]);
  });
});

describe('the form of a reason', () => {
  const reason = { ...anyReason(), id: 7, code: 'custom-1', isBuiltIn: false, version: 2 };

  test('gives back what it was filled with, without spaces', () => {
    expect(reasonOfDraft(draftOfReason(reason))).toEqual(anyReason());
    expect(reasonOfDraft({ ...NEW_REASON, nameEn: ' A ', nameJp: ' B' })).toMatchObject({ nameEn: 'A', nameJp: 'B' });
  });

  test('needs a name, unless the reason is built in', () => {
    expect(checkReason(NEW_REASON, 'name', false)).toEqual({ nameEn: 'name' });
    expect(checkReason(NEW_REASON, 'name', true)).toEqual({ nameEn: undefined });
    expect(checkReason(anyReason(), 'name', false)).toEqual({ nameEn: undefined });
  });

  test('is sorted and found among the others', () => {
    const rows = [
      { ...reason, id: 1, code: 'real', name: 'Real event', isBuiltIn: true, nameEn: '' },
      { ...reason, id: 2, code: 'test', name: 'Drill', isBuiltIn: true, isFalseAlarm: true },
      { ...reason, id: 3, name: 'Wash bay', enabled: false },
    ];
    const { compare } = new Intl.Collator('en');
    const idsBy = (sort: string, search = '') =>
      localPage(reasonList(rows, compare), { place: { offset: 0 }, limit: 9, sort, search }).rows.map(({ id }) => id);
    expect(idsBy('name')).toEqual([2, 1, 3]);
    expect(idsBy('isFalseAlarm')).toEqual([2, 1, 3]);
    expect(idsBy('enabled')).toEqual([2, 1, 3]);
    expect(idsBy('isBuiltIn')).toEqual([3, 2, 1]);
    expect(idsBy('name', 'real')).toEqual([1]);
    expect(idsBy('name', 'test')).toEqual([2]);
  });
});
