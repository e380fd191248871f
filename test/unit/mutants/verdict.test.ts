import { describe, expect, it } from 'vitest';
import {
  complaintOf,
  type PartResult,
  type PartRun,
  readReport,
  summaryOf,
  verdictLine,
  verdictOf,
} from '../../mutants/verdict.ts';

const ended = (result: Partial<PartResult>): PartRun => ({
  kind: 'ended',
  result: { passed: 0, failed: 0, brokenFiles: 0, ...result },
  seconds: 4.21,
});
const HUNG: PartRun = { kind: 'no-result', reason: 'the tests did not end' };

/** What the reporter writes, as far as it is read. */
function aReport(files: readonly { readonly status: string; readonly tests: readonly string[] }[]): string {
  const testResults = files.map(({ status, tests }) => ({
    name: 'a file',
    status,
    assertionResults: tests.map((state) => ({ title: 'a test', status: state })),
  }));
  return JSON.stringify({ success: false, testResults });
}

describe('a report', () => {
  it('counts the tests that passed and those that failed', () => {
    const json = aReport([
      { status: 'failed', tests: ['passed', 'failed', 'failed', 'skipped'] },
      { status: 'passed', tests: ['passed', 'todo'] },
    ]);
    expect(readReport(json)).toEqual({ passed: 2, failed: 2, brokenFiles: 0 });
  });

  it('counts apart the files that could not be loaded and those whose hooks failed', () => {
    const json = aReport([
      { status: 'failed', tests: [] },
      { status: 'failed', tests: ['skipped', 'pending'] },
      { status: 'passed', tests: ['passed'] },
    ]);
    expect(readReport(json)).toEqual({ passed: 1, failed: 0, brokenFiles: 2 });
  });
});

describe('a fault is found', () => {
  it('by a test that fails', () => {
    const verdict = verdictOf(ended({ passed: 10, failed: 3 }));
    expect(verdict).toEqual({ isFound: true, tests: 3, seconds: 4.21 });
    expect(verdictLine('An unchecked permission', verdict)).toBe('found by 3 tests in 4.2 s: An unchecked permission');
    expect(verdictLine('A fault', verdictOf(ended({ failed: 1 })))).toBe('found by 1 test in 4.2 s: A fault');
  });

  it.each([
    ['every test passes', ended({ passed: 12 }), '12 tests passed all the same'],
    ['a file cannot even be loaded', ended({ passed: 12, brokenFiles: 1 }), '1 file could not be run at all'],
    ['there is no test', ended({}), 'no test ran'],
    ['the tests never end', HUNG, 'the tests did not end'],
  ])('not when %s', (_, run, reason) => {
    const verdict = verdictOf(run);
    expect(verdict).toEqual({ isFound: false, reason });
    expect(verdictLine('A fault', verdict)).toBe(`NOT FOUND (${reason}): A fault`);
  });

  it('and all of them are counted at the end', () => {
    const verdicts = [ended({ failed: 1 }), ended({ passed: 1 }), ended({ failed: 2 })].map(verdictOf);
    expect(summaryOf(verdicts)).toBe('2 found, 1 not found');
  });
});

it.each([
  [ended({ passed: 3 }), undefined],
  [ended({ passed: 3, failed: 1 }), '1 test failed'],
  [ended({ passed: 3, brokenFiles: 2 }), '2 files could not be run'],
  [ended({}), 'no test ran'],
  [HUNG, 'the tests did not end'],
])('tests tell of faults once they pass without one (%#)', (run, complaint) => {
  expect(complaintOf(run)).toBe(complaint);
});
