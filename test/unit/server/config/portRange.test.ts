import { describe, expect, it } from 'vitest';
import { PORT_RANGE } from '../../../../server/config/valueParsers.ts';

describe('PORT_RANGE', () => {
  it.each([
    ['7022-7041', { first: 7_022, last: 7_041 }],
    ['7022-7022', { first: 7_022, last: 7_022 }],
    ['0', { first: 0, last: 0 }],
    ['7041-7022', undefined],
    ['0-10', undefined],
    ['7022', undefined],
    ['60000-70000', undefined],
    ['a-b', undefined],
  ])('reads %s', (text, value) => {
    const result = PORT_RANGE.read(text);
    expect(result.ok ? result.value : undefined).toEqual(value);
  });
});
