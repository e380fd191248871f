import { describe, expect, it } from 'vitest';
import { checkFence, type FenceTexts, liveFault } from '../../../../pages/innerpage/fencesetting/edit/fenceChecks.ts';
import {
  contentOfDraft,
  draftOfFence,
  type FenceDraft,
  newFence,
} from '../../../../pages/innerpage/fencesetting/edit/fenceForm.ts';
import { emptyDraft, placedIn } from '../../../../pages/innerpage/fencesetting/edit/shapeDraft.ts';
import { FENCE_KINDS } from '../../../../shared/protocol/fences/fenceWords.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';

const TEXTS: FenceTexts = {
  noName: 'no name',
  noShape: 'no shape',
  noMoment: 'no moment',
  endsTooEarly: 'too early',
  range: (minimum, maximum) => `whole ${minimum} to ${maximum}`,
  numberRange: (minimum, maximum) => `${minimum} to ${maximum}`,
  fault: (fault) => fault,
};
const VIEW = { west: 121, south: 23, east: 121.1, north: 23.1 };
const drawn = (kind: FenceDraft['geometry']['kind'], fields: Partial<FenceDraft> = {}): FenceDraft => ({
  ...newFence(kind),
  name: 'Depot',
  geometry: placedIn(emptyDraft(kind), VIEW),
  ...fields,
});
const problemsOf = (draft: FenceDraft) =>
  Object.fromEntries(Object.entries(checkFence(draft, TEXTS)).filter(([, text]) => text !== undefined));

describe('the form of a geofence', () => {
  it.each(FENCE_KINDS)('gives back what is stored: %s', (kind) => {
    const content = contentOfDraft(
      drawn(kind, { deviceGroups: ['3'], devices: ['0001'], validFromMs: 1_000, timeZone: 'Asia/Taipei' }),
    );
    if (content === undefined) throw new Error('nothing is drawn');
    const fence = { ...content, id: 1, version: 2, changedAtMs: wallMs(5), changedBy: 'admin' };
    expect(contentOfDraft(draftOfFence(fence))).toEqual(content);
    expect(content.deviceGroups).toEqual([3]);
  });

  it('has no wrong direction but that of a corridor', () => {
    const rules = { ...newFence('circle').rules, wrongDirection: true };
    expect(contentOfDraft(drawn('circle', { rules }))?.rules.wrongDirection).toBe(false);
    expect(contentOfDraft(drawn('corridor', { rules }))?.rules.wrongDirection).toBe(true);
  });

  it('wants a name and an outline', () => {
    expect(problemsOf(newFence('polygon'))).toEqual({ name: 'no name', geometry: 'no shape' });
    expect(problemsOf(drawn('polygon'))).toEqual({});
  });

  it('wants numbers within their bounds, each beside its field', () => {
    const rules = { ...newFence('circle').rules, speedKmh: 251, insideMinutes: 0, parkedMinutes: 1.5 };
    expect(problemsOf(drawn('circle', { rules }))).toEqual({
      'rules.speedKmh': 'whole 1 to 250',
      'rules.insideMinutes': 'whole 1 to 10080',
      'rules.parkedMinutes': 'whole 1 to 10080',
    });
    const small = drawn('circle');
    expect(problemsOf({ ...small, geometry: { ...small.geometry, radiusMeters: 9 } })).toEqual({
      'geometry.radiusMeters': '10 to 5000000',
    });
    const wide = drawn('corridor');
    expect(problemsOf({ ...wide, geometry: { ...wide.geometry, widthMeters: Number.NaN } })).toEqual({
      'geometry.widthMeters': '5 to 10000',
    });
  });

  it('ends after it begins', () => {
    expect(problemsOf(drawn('circle', { validFromMs: 2_000, validToMs: 1_000 }))).toEqual({ validToMs: 'too early' });
    expect(problemsOf(drawn('circle', { validFromMs: Number.NaN }))).toEqual({ validFromMs: 'no moment' });
  });

  it('says why an outline is refused, at once for what drawing on will not mend', () => {
    const crossing = drawn('polygon', {
      geometry: {
        ...emptyDraft('polygon'),
        positions: [
          [121, 23],
          [121.1, 23.1],
          [121.1, 23],
          [121, 23.1],
        ],
      },
    });
    expect(problemsOf(crossing)).toEqual({ geometry: 'fence-crossing' });
    expect(liveFault(crossing.geometry)).toBe('fence-crossing');
    const begun = {
      ...emptyDraft('polygon'),
      positions: [
        [121, 23],
        [121.1, 23.1],
      ] as const,
    };
    expect(problemsOf(drawn('polygon', { geometry: begun }))).toEqual({ geometry: 'fence-few-vertices' });
    expect(liveFault(begun)).toBeUndefined();
  });
});
