import { fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { PlannedRows, type PlannedRowsProps } from '../../../../shared/ui/plannedRows/PlannedRows.tsx';
import type { PlannedLine, PlannedOutcome } from '../../../../shared/ui/plannedRows/plannedRow.ts';
import { layOut } from '../../../support/browser/layOut.ts';
import { planGateway, renderPage, settle } from '../../../support/browser/renderPage.tsx';

interface Row {
  readonly outcome: PlannedOutcome;
  readonly line: PlannedLine;
}

const OUTCOMES = ['refused', 'changed', 'added', 'unchanged'] as const;
const ROWS: readonly Row[] = [
  { outcome: 'added', line: { place: 'Row 1', name: 'Yard', faults: [] } },
  {
    outcome: 'changed',
    line: { place: 'Row 2', name: 'Depot', changes: [{ field: 'plate', from: '', to: 'ABC-1' }], faults: [] },
  },
  { outcome: 'refused', line: { name: 'Knot', faults: ['The edges cross each other.', 'A name is required.'] } },
  { outcome: 'unchanged', line: { name: 'Knot', faults: [] } },
];

async function open(props: Partial<PlannedRowsProps<Row>> = {}) {
  layOut();
  planGateway();
  await renderPage(<PlannedRows label="Rows" rows={ROWS} outcomes={OUTCOMES} lineOf={({ line }) => line} {...props} />);
  await settle();
}

const items = () => within(screen.getByRole('group', { name: 'Rows' })).getAllByRole('listitem');
const texts = () => items().map(({ textContent }) => textContent);

test('each row says what becomes of it, what changes and why it is rejected', async () => {
  await open();
  expect(texts()).toEqual([
    'Row 1AddYard',
    'Row 2ChangeDepotplate: – → ABC-1',
    'RejectKnotThe edges cross each other.A name is required.',
    'No changeKnot',
  ]);
});

test('the rows of one outcome are looked at alone', async () => {
  await open();
  const [all, ...options] = within(screen.getByLabelText('Result')).getAllByRole('option');
  expect([all, ...options].map((option) => option?.textContent)).toEqual([
    ...['All', 'Reject', 'Change', 'Add', 'No change'],
  ]);
  await userEvent.setup().selectOptions(screen.getByLabelText('Result'), 'Reject');
  expect(texts()).toEqual(['RejectKnotThe edges cross each other.A name is required.']);
  expect(items()[0]?.getAttribute('aria-setsize')).toBe('1');
});

test('the row under the pointer is told of', async () => {
  const onPoint = vi.fn();
  await open({ onPoint });
  const [first] = items();
  fireEvent.mouseEnter(first ?? expect.fail());
  fireEvent.mouseLeave(first ?? expect.fail());
  expect(onPoint.mock.calls).toEqual([[ROWS[0]], [undefined]]);
});

test('of many rows only those in sight are in the document', async () => {
  const rows = Array.from({ length: 1_000 }, (): Row => ({ outcome: 'added', line: { name: 'Yard', faults: [] } }));
  await open({ rows });
  expect(items().length).toBeLessThan(40);
  expect(items()[0]?.getAttribute('aria-setsize')).toBe('1000');
});
