import { describe, expect, test } from 'vitest';
import { readPageFlags, withPageFlags } from '../../../../shared/api/pageFlags.ts';

describe('sid in the page address (S-5.1)', () => {
  test.each(['Ab_9', 'a', '0', '_', 'x'.repeat(500)])('%s is accepted', (sid) => {
    expect(readPageFlags(`?sid=${sid}`).sid).toBe(sid);
  });

  test.each([
    ['a hyphen', 'Ab-9'],
    ['a space', 'a b'],
    ['a plus, which is a space', 'a+b'],
    ['a line break', 'a%0d%0ax'],
    ['a line break at the end', 'a%0a'],
    ['a letter that is not ASCII', 'é'],
    ['a digit that is not ASCII', '%D9%A3'],
    ['the Kelvin sign, a K without case', '%E2%84%AA'],
    ['nothing', ''],
    ['a NUL', 'a%00'],
  ])('with %s it is none', (_, value) => {
    expect(readPageFlags(`?sid=${value}`).sid).toBeUndefined();
  });

  test('without a query there is none', () => {
    expect(readPageFlags('').sid).toBeUndefined();
  });
});

describe('nontop in the page address (S-5.2)', () => {
  test.each([
    ['?nontop=1', true],
    ['?a=b&nontop=1&c', true],
    ['?nontop=0', false],
    ['?nontop=true', false],
    ['?nontop=11', false],
    ['?nontop=1-', false],
    ['?nontop=1%20', false],
    ['?nontop', false],
    ['', false],
  ])('%s means %s', (search, expected) => {
    expect(readPageFlags(search).nontop).toBe(expected);
  });
});

describe('handing the flags on', () => {
  const flags = { sid: 'T0k', nontop: true };

  test.each([
    ['/innerpage/report.html', '/innerpage/report.html?sid=T0k&nontop=1'],
    ['/x?a=1', '/x?a=1&sid=T0k&nontop=1'],
    ['/x?a=1#part', '/x?a=1&sid=T0k&nontop=1#part'],
    ['/x#a?b', '/x?sid=T0k&nontop=1#a?b'],
  ])('%s becomes %s', (address, expected) => {
    expect(withPageFlags(address, flags)).toBe(expected);
  });

  test('a page without flags hands nothing on', () => {
    expect(withPageFlags('/x?a=%20#b', { sid: undefined, nontop: false })).toBe('/x?a=%20#b');
  });
});
