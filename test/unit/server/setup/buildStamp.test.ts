import { describe, expect, it } from 'vitest';
import { stampOf } from '../../../../server/setup/buildStamp.mjs';

const NOW = new Date('2026-11-27T10:00:00Z');

/** Answers by the first word. */
const git = (answers: Readonly<Record<string, string>>) => (args: readonly string[]) => answers[args[0] ?? ''];
const clean = { log: 'abc123 2026-11-22T14:00:00+08:00\n', 'rev-parse': '\n', status: '' };

describe('stampOf', () => {
  it('has the commit and its date in UTC', () => {
    const stamp = { commit: 'abc123', date: '2026-11-22T06:00:00.000Z', modified: false };
    expect(stampOf(git(clean), NOW)).toEqual(stamp);
  });

  it('says that the sources differ from the commit', () => {
    expect(stampOf(git({ ...clean, status: ' M server/main.ts\n' }), NOW).modified).toBe(true);
  });

  it.each([
    ['without git', {}],
    ['in a folder of another repository', { ...clean, 'rev-parse': 'vendor/fleetglass/\n' }],
    ['before the first commit', { 'rev-parse': '\n', status: '?? server/' }],
  ])('has no commit and the date of the build %s', (_where, answers) => {
    expect(stampOf(git(answers), NOW)).toEqual({ commit: '', date: NOW.toISOString(), modified: false });
  });
});
