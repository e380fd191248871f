import { describe, expect, it } from 'vitest';
import { licensesToShipUnder } from '../../../../../server/setup/notices/licenses.mjs';

const allowed = new Set(['A', 'B', 'C']);

describe('licensesToShipUnder', () => {
  it.each([
    ['A', ['A']],
    ['(A)', ['A']],
    ['A AND B', ['A', 'B']],
    ['A OR B', ['A']],
    ['X OR B', ['B']],
    ['(X OR A) AND (B OR X)', ['A', 'B']],
    // AND binds closer.
    ['X AND A OR B', ['B']],
    ['B OR A AND X', ['B']],
    ['((A AND B) OR C)', ['A', 'B']],
  ])('is content with %s', (expression, licenses) => {
    expect(licensesToShipUnder(expression, allowed)).toEqual(licenses);
  });

  it.each([
    'X',
    'A AND X',
    'X OR Y',
    '(A OR B) AND X',
    // More is allowed than without the exception, but nobody has read it.
    'A WITH B',
    'A+',
    'a',
    '',
    'A B',
    'A AND',
    'OR A',
    '(A',
    'A)',
    '()',
    'UNLICENSED',
    'SEE LICENSE IN A',
  ])('refuses %s', (expression) => {
    expect(licensesToShipUnder(expression, allowed)).toBeUndefined();
  });

  it.each(['MIT', 'ISC', 'BSD-3-Clause', 'Apache-2.0', 'MPL-2.0'])('allows %s', (license) => {
    expect(licensesToShipUnder(license)).toEqual([license]);
  });

  it.each(['GPL-3.0-only', 'AGPL-3.0-or-later', 'LGPL-2.1', 'SSPL-1.0', 'CC-BY-NC-4.0', 'BUSL-1.1'])(
    'does not allow %s',
    (license) => {
      expect(licensesToShipUnder(license)).toBeUndefined();
    },
  );
});
