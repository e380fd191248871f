import { describe, expect, it } from 'vitest';
import { eventCommand, movedTo } from '../../../../pages/innerpage/todayevent/model/eventKeys.ts';

const NONE = { ctrlKey: false, altKey: false, metaKey: false, shiftKey: false };
const press = (key: string, held: Partial<typeof NONE> = {}, isInList = false) =>
  eventCommand({ ...NONE, key, ...held }, isInList);

describe('keys of the list', () => {
  it.each([
    ['j', { kind: 'move', to: 'next', selects: false }],
    ['K', { kind: 'move', to: 'previous', selects: false }],
    ['a', { kind: 'act', act: 'acknowledge' }],
    ['c', { kind: 'act', act: 'close' }],
    ['f', { kind: 'act', act: 'false-alarm' }],
    ['g', { kind: 'act', act: 'assign' }],
    ['n', { kind: 'act', act: 'note' }],
    ['v', { kind: 'video' }],
    ['Escape', { kind: 'leave' }],
    ['?', { kind: 'help' }],
  ])('%s', (key, expected) => {
    expect(press(key)).toEqual(expected);
  });

  it('take a question mark with Shift, as keyboards have it', () => {
    expect(press('?', { shiftKey: true })).toEqual({ kind: 'help' });
  });

  it('select all with Ctrl or Command', () => {
    expect(press('a', { ctrlKey: true })).toEqual({ kind: 'select-all' });
    expect(press('A', { metaKey: true })).toEqual({ kind: 'select-all' });
  });

  it.each([
    ['c', { ctrlKey: true }],
    ['f', { metaKey: true }],
    ['a', { altKey: true }],
    ['a', { ctrlKey: true, shiftKey: true }],
    ['n', { shiftKey: true }],
    ['x', {}],
    ['ArrowDown', {}],
    [' ', {}],
    ['Enter', {}],
  ])('leave %s with %j to the browser', (key, held) => {
    expect(press(key, held)).toBeUndefined();
  });

  it('move and select with the arrows while the list has the focus', () => {
    expect(press('ArrowDown', {}, true)).toEqual({ kind: 'move', to: 'next', selects: false });
    expect(press('ArrowUp', { shiftKey: true }, true)).toEqual({ kind: 'move', to: 'previous', selects: true });
    expect(press('End', {}, true)).toEqual({ kind: 'move', to: 'last', selects: false });
    expect([press(' ', {}, true), press('Enter', {}, true)]).toEqual([{ kind: 'select' }, { kind: 'open' }]);
  });
});

it('a key leads to the neighbour, and stays at the ends', () => {
  const ids = [9, 8, 7];
  expect([undefined, 9, 8, 7, 4711].map((id) => movedTo(ids, id, 'next'))).toEqual([9, 8, 7, 7, 9]);
  expect([undefined, 9, 8, 7].map((id) => movedTo(ids, id, 'previous'))).toEqual([9, 9, 9, 8]);
  expect([movedTo(ids, 8, 'first'), movedTo(ids, 8, 'last')]).toEqual([9, 7]);
  expect([movedTo([], undefined, 'next'), movedTo([], 8, 'previous')]).toEqual([undefined, undefined]);
});
