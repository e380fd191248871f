import { describe, expect, it } from 'vitest';
import { changesSince, compareVersions } from '../../../../../../server/http/system/version/changesSince.ts';

const CHANGELOG = `# Changelog

Changes that matter.

## Unreleased

## [1.10.0] - 2027-03-01

- Ten.

### Fixed

- One.

## [1.9.0] - 2027-02-01

- Nine.

## [1.9.0-rc.1] - 2027-01-20

- Trial.

## 1.8.0

- Eight.
`;

const headings = (markdown: string) => markdown.split('\n').filter((line) => line.startsWith('## '));
const TEN = '## [1.10.0] - 2027-03-01';
const NINE = '## [1.9.0] - 2027-02-01';
const TRIAL = '## [1.9.0-rc.1] - 2027-01-20';

describe('what is new', () => {
  it.each([
    ['1.10.0', '1.9.0', [TEN]],
    ['1.10.0', '1.8.0', [TEN, NINE, TRIAL]],
    ['1.10.0', '1.9.0-rc.1', [TEN, NINE]],
    // One that the file never had.
    ['1.10.0', '1.8.5', [TEN, NINE, TRIAL]],
    // The file may be newer than the gateway.
    ['1.9.0', '1.8.0', [NINE, TRIAL]],
    // After a step back nothing is new.
    ['1.8.0', '1.10.0', []],
    // No other version has run here.
    ['1.9.0', undefined, [NINE]],
    ['7.0.0', undefined, []],
  ])('of %s, after %s', (version, previous, expected) => {
    expect(headings(changesSince(CHANGELOG, { version, previous }).markdown)).toEqual(expected);
  });

  it('has the sections whole, one after the other', () => {
    const { markdown, previousVersion, isCut } = changesSince(CHANGELOG, { version: '1.10.0', previous: '1.9.0-rc.1' });
    expect(markdown).toBe(`${TEN}\n\n- Ten.\n\n### Fixed\n\n- One.\n\n${NINE}\n\n- Nine.`);
    expect([previousVersion, isCut]).toEqual(['1.9.0-rc.1', false]);
  });

  it('has what is unreleased: it is part of the build that the file came with', () => {
    const text = CHANGELOG.replace('## Unreleased\n', '## Unreleased\n\n- Newest.\n');
    expect(changesSince(text, { version: '1.10.0', previous: '1.10.0-rc.1' }).markdown).toBe(
      `## Unreleased\n\n- Newest.\n\n${TEN}\n\n- Ten.\n\n### Fixed\n\n- One.`,
    );
  });

  it('is nothing of a file that is missing or no change log', () => {
    const nothing = { previousVersion: '', markdown: '', isCut: false };
    expect(changesSince('', { version: '1.0.0' })).toEqual(nothing);
    expect(changesSince('no headings\n', { version: '1.0.0' })).toEqual(nothing);
  });

  it('is cut at the end of a line', () => {
    const changes = changesSince(CHANGELOG, { version: '1.10.0', previous: '1.8.0' }, TEN.length + 9);
    expect(changes).toEqual({ previousVersion: '1.8.0', markdown: `${TEN}\n\n- Ten.\n`, isCut: true });
    expect(changesSince(CHANGELOG, { version: '1.10.0', previous: '1.8.0' }, 5).markdown).toBe('');
  });
});

it('orders versions by their numbers, and previews before what they lead to', () => {
  const ordered = ['0.1.0', '1.0.0-alpha', '1.0.0-rc.2', '1.0.0-rc.10', '1.0', '1.0.1', '1.9.0', '1.10.0', '2'];
  const shuffled = [...ordered].reverse();
  expect(shuffled.sort(compareVersions)).toEqual(ordered);
  expect(compareVersions('1.0', '1.0.0')).toBe(0);
  expect(compareVersions('v1.2.3', '1.2.3+build.7')).toBe(0);
});
