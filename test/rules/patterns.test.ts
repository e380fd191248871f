import { describe, expect, it } from 'vitest';
import { findSlow } from './patterns/findSlow.ts';
import { slownessOf } from './patterns/slowPattern.ts';
import { repository } from './sourceFiles.ts';

/** Where the text has a bound, or nobody outside can choose it. */
const BOUNDED: readonly { readonly file: string; readonly pattern: string; readonly because: string }[] = [
  {
    file: 'server/backup/archive/recoveryKey.ts',
    pattern: "new RegExp(`.{{GROUP}}`, 'g')",
    because: 'it is made of constants, and repeats nothing without a bound',
  },
  {
    file: 'server/device/keptAttributes.ts',
    pattern: '/f+$/',
    because: 'the text is the ten bytes of an ICCID',
  },
  {
    file: 'server/firmware/images/imageAddress.ts',
    pattern: '/\\/+$/',
    because: 'the operator has set the address',
  },
  {
    file: 'server/http/kernel/lists/csv.ts',
    pattern: "new RegExp(`^'*{SIGNS}`)",
    because: 'it is made of constants: one repetition at the beginning, and one character of others',
  },
  {
    file: 'server/http/kernel/lists/csv.ts',
    pattern: "new RegExp(`^'+{SIGNS}`)",
    because: 'it is made of constants: one repetition at the beginning, and one character of others',
  },
  {
    file: 'server/notify/templates/eventLink.ts',
    pattern: '/\\/+$/',
    because: 'the operator has set the address',
  },
  {
    file: 'server/support/logLines.ts',
    pattern: '/node_modules[/\\\\](?!.*node_modules[/\\\\])[\\w@.+/\\\\-]+:\\d+:\\d+$/',
    because: 'the text is a line of a stack, with the path of a file of the product',
  },
  {
    file: 'server/support/logLines.ts',
    pattern: '/(?:dist|server|shared)[/\\\\](?!.*[/\\\\](?:dist|server|shared)[/\\\\])[\\w@.+/\\\\-]+:\\d+:\\d+$/',
    because: 'the text is a line of a stack, with the path of a file of the product',
  },
  {
    file: 'shared/protocol/notify/mailAddress.ts',
    pattern: "new RegExp(`^{MAIL_ADDRESS_PATTERN}`, 'u')",
    because: 'it is made of constants: two repetitions without @, and an @ between them',
  },
];

const slow = findSlow(repository);

describe('a regular expression of the gateway', () => {
  it('takes time in proportion to the text, whatever the text is', () => {
    const isBounded = (file: string, pattern: string) =>
      BOUNDED.some((each) => each.file === file && each.pattern === pattern);
    const found = slow.filter(({ file, pattern }) => !isBounded(file, pattern));
    expect(found.map(({ file, pattern, why }) => `${file}: ${pattern}: ${why}`)).toEqual([]);
  });

  it('is an exception only where a reason is given, and no reason is left over', () => {
    const isThere = ({ file, pattern }: (typeof BOUNDED)[number]) =>
      slow.some((each) => each.file === file && each.pattern === pattern);
    expect(BOUNDED.filter((each) => !isThere(each))).toEqual([]);
  });
});

describe('what is found', () => {
  it.each([
    // Attributes of a tag, blanks around a stroke, blanks before a bracket.
    [/([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g],
    [/\s*(?<!\\)\/\s*/g],
    [/^(?:SRID=\d{1,6};)?\s*(POINT|POLYGON)\s*(?:ZM|Z|M)?\s*\((.*)\)$/is],
    [/\s+$/],
    [/f+$/],
    [/<[^>]*>/],
    [/^\s*\s*x/],
    [/^(?:a+)+$/],
    [/^(?:a|a)*$/],
    [/^.*,.*$/],
    [/^\S+@\S+\.\S+$/],
  ])('%s', ({ source, flags }) => {
    expect(slownessOf(source, flags)).toBeTypeOf('string');
  });

  it.each([
    [/\s+/g],
    [/^\d+$/],
    [/^\s|\s$/],
    [/"[^"]*"/g],
    [/^[\da-f]{2}(?::[\da-f]{2})*$/],
    [/^https?:\/\/[^/]+(?:\/[^/]+)*$/],
    [/^(?:[A-Za-z0-9_-]|%[0-9A-F]{2})+$/],
    [/\d{1,20}$/],
    [/^[a-z]+\d+$/],
  ])('is not %s', ({ source, flags }) => {
    expect(slownessOf(source, flags)).toBeUndefined();
  });
});
