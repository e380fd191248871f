// The keys of the device list: where they begin, what they go on from, and what they pick.
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { useRowKeys } from '../../../../pages/innerpage/dashboard/list/useRowKeys.ts';
import { DEVICE_DEFAULTS } from '../../../../shared/live/readMessage.ts';

afterEach(cleanup);

interface ListProps {
  readonly ids: string;
  readonly selectedId?: string;
}

function open(first: ListProps) {
  const picked: string[] = [];
  const moves: number[] = [];
  function List({ ids, selectedId }: ListProps) {
    const devices = [...ids].map((id) => ({ ...DEVICE_DEFAULTS, id }));
    const onPick = (deviceId: string) => void picked.push(deviceId);
    const onMove = (index: number) => void moves.push(index);
    const { activeIndex, onKeyDown } = useRowKeys({ devices, selectedId, onPick, onMove });
    return (
      <div role="listbox" tabIndex={0} onKeyDown={onKeyDown}>
        {ids[activeIndex] ?? 'none'}
      </div>
    );
  }
  const { rerender } = render(<List {...first} />);
  const list = screen.getByRole('listbox');
  return {
    picked,
    moves,
    show: (props: ListProps) => rerender(<List {...props} />),
    active: () => list.textContent,
    press: (key: string) => fireEvent.keyDown(list, { key }),
  };
}

test('begin at the first row, show where they are, and pick what they are at', () => {
  const { active, press, picked, moves } = open({ ids: 'ABCD' });
  press('Enter');
  expect([active(), picked]).toEqual(['none', []]);
  press('ArrowDown');
  press('ArrowDown');
  press(' ');
  press('End');
  press('ArrowDown');
  press('Enter');
  expect([active(), picked, moves]).toEqual(['D', ['B', 'D'], [0, 1, 3, 3]]);
});

test('go on from what was chosen with the pointer, also when its choice is taken back', () => {
  const { active, press, show } = open({ ids: 'ABCD' });
  show({ ids: 'ABCD', selectedId: 'C' });
  press('ArrowDown');
  expect(active()).toBe('D');
  show({ ids: 'ABCD' });
  press('ArrowUp');
  expect(active()).toBe('C');
  // A list that is shown again begins where something is chosen.
  cleanup();
  const again = open({ ids: 'ABCD', selectedId: 'B' });
  again.press('ArrowDown');
  expect(again.active()).toBe('C');
});

test('stay with their device when rows move, and begin anew when it is shown no more', () => {
  const { active, press, show, picked } = open({ ids: 'ABCD', selectedId: 'C' });
  show({ ids: 'CABD', selectedId: 'C' });
  press('ArrowDown');
  expect(active()).toBe('A');
  show({ ids: 'BD', selectedId: 'C' });
  expect(active()).toBe('none');
  press('Enter');
  expect(picked).toEqual([]);
  press('ArrowDown');
  expect(active()).toBe('B');
});
