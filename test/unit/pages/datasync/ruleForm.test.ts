import { describe, expect, test } from 'vitest';
import {
  checkRule,
  contentOfRule,
  draftOfRule,
  newRule,
  type RuleDraft,
} from '../../../../pages/innerpage/datasync/rules/ruleForm.ts';
import { checkFetch, requestOfDraft } from '../../../../shared/ui/sync/fetchForm.ts';
import { aSyncRule } from '../../../support/sync/syncAnswers.ts';

const TEXTS = { noName: 'name', noNetwork: 'network', noNumber: (min: number, max: number) => `${min} to ${max}` };
const problemsOf = (changes: Partial<RuleDraft>) =>
  Object.fromEntries(
    Object.entries(checkRule({ ...newRule(), name: 'Depot', ...changes }, TEXTS)).filter(([, text]) => text),
  );

describe('a rule', () => {
  test('is sent as it was read', () => {
    const rule = aSyncRule({
      choice: 'events',
      eventTypes: ['sos'],
      channels: [1, 4],
      deviceGroups: [7],
      keptDays: 30,
    });
    const { id: _id, version: _version, changedAtMs: _at, changedBy: _by, openItems: _open, ...content } = rule;
    expect(contentOfRule(draftOfRule(rule))).toEqual(content);
  });

  test('has no types of events unless it is about events', () => {
    expect(contentOfRule({ ...newRule(), choice: 'gaps', eventTypes: ['sos'] }).eventTypes).toEqual([]);
  });

  test('has no limit where the field is empty', () => {
    expect(draftOfRule(aSyncRule({ megabytesADay: 0 })).megabytesADay).toBeNull();
    expect(contentOfRule({ ...newRule(), name: ' Depot ' })).toMatchObject({
      name: 'Depot',
      kilobitsPerSecond: 0,
      megabytesADay: 0,
      keptDays: 0,
      priority: 5,
    });
  });

  test.each<[Partial<RuleDraft>, object]>([
    [{}, {}],
    [{ name: ' ' }, { name: 'name' }],
    [{ daysBack: null }, { daysBack: '1 to 90' }],
    [{ daysBack: 91 }, { daysBack: '1 to 90' }],
    [{ daysBack: 90, concurrency: 100, keptDays: 3_650 }, {}],
    [{ concurrency: 0 }, { concurrency: '1 to 100' }],
    [{ megabytesADay: 1.5 }, { megabytesADay: '1 to 1000000' }],
    [{ wifi: false, lan: false, mobile: false }, { mobile: 'network' }],
    [{ wifi: false, lan: false, mobile: true }, {}],
  ])('%j: %j', (changes, problems) => {
    expect(problemsOf(changes)).toEqual(problems);
  });
});

describe('a request', () => {
  const draft = { deviceid: 'BUS1', channels: ['3'], stream: 'any', fromMs: 1_000, toMs: 601_000 } as const;
  const texts = { noDevice: 'device', noTime: 'time', wrongOrder: 'order', tooLong: 'long' };

  test('without channels leaves it to the gateway which cameras there are', () => {
    expect(requestOfDraft(draft).channels).toEqual([3]);
    expect(requestOfDraft({ ...draft, channels: [] }).channels).toEqual([]);
  });

  test.each([
    [{}, undefined, undefined, undefined],
    [{ deviceid: '' }, 'device', undefined, undefined],
    [{ fromMs: null }, undefined, 'time', undefined],
    [{ toMs: Number.NaN }, undefined, undefined, 'time'],
    [{ toMs: 1_000 }, undefined, undefined, 'order'],
    [{ toMs: 24 * 3_600_000 + 1_000 }, undefined, undefined, undefined],
    [{ toMs: 24 * 3_600_000 + 1_001 }, undefined, undefined, 'long'],
  ])('%j', (changes, deviceid, fromMs, toMs) => {
    expect(checkFetch({ ...draft, ...changes }, texts)).toEqual({ deviceid, fromMs, toMs });
  });
});
