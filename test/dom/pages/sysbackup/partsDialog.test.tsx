import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { PartsDialog } from '../../../../pages/innerpage/sysbackup/parts/PartsDialog.tsx';
import {
  BACKUP_PARTS_APPLY_PATH,
  BACKUP_PARTS_PATH,
  type PartsImport,
} from '../../../../shared/protocol/api/system/backupParts.ts';
import type { Backup } from '../../../../shared/protocol/api/system/backups.ts';
import { layOut } from '../../../support/browser/layOut.ts';
import { planGateway, renderPage, settle } from '../../../support/browser/renderPage.tsx';
import { json } from '../../../support/fakes/fakeGateway.ts';

const BACKUP = { id: 7, encryption: 'passphrase' } as Backup;
const RAN: PartsImport = {
  ...{ id: 'abc', backup: 7, parts: ['devices'], state: 'ready', fault: '', rowsRead: 10, rowsLeftOut: 3 },
  counts: { added: 1, changed: 1, unchanged: 5, refused: 1 },
  imported: { added: 0, changed: 0, failed: 0 },
  rows: [
    { record: 'device-group', name: 'Buses', outcome: 'added', changes: [], faults: [], result: '' },
    {
      ...{ record: 'device', name: 'BUS1', outcome: 'changed', faults: [], result: '' },
      changes: [{ field: 'plate', from: '', to: 'ABC-1' }],
    },
    {
      ...{ record: 'device', name: 'BUS2', outcome: 'refused', changes: [], result: '' },
      faults: [{ field: 'group', code: 'unknown', value: 'Trucks' }],
    },
  ],
};

async function open(permission: readonly string[] = ['system', 'sysbackup', 'devicegroup']) {
  layOut();
  const gateway = planGateway({ user: { permission } });
  const answer = (current: PartsImport | null) => json({ error: false, data: { current } });
  const onClose = vi.fn();
  await renderPage(<PartsDialog backup={BACKUP} onClose={onClose} />);
  await settle();
  return { gateway, answer, onClose, user: userEvent.setup() };
}

const lines = () =>
  within(screen.getByRole('list'))
    .getAllByRole('listitem')
    .map((line) => line.textContent);

test('parts that the user could not change by hand can not be chosen', async () => {
  await open();
  expect(screen.getByRole('checkbox', { name: 'Devices and device groups' })).toHaveProperty('disabled', false);
  expect(screen.getByRole('checkbox', { name: /^Members/ })).toHaveProperty('disabled', true);
  expect(screen.getByRole('button', { name: 'Preview' })).toHaveProperty('disabled', true);
});

test('a preview says what becomes of each record, and the import what has become of it', async () => {
  const { gateway, answer, user } = await open();
  gateway.on(`POST ${BACKUP_PARTS_PATH}`, () => answer(RAN));
  await user.click(screen.getByRole('checkbox', { name: 'Devices and device groups' }));
  await user.click(screen.getByRole('button', { name: 'Preview' }));
  await waitFor(() =>
    expect(lines()).toEqual([
      'AddDevice group Buses',
      'ChangeDevice BUS1Plate number: – → ABC-1',
      "RejectDevice BUS2Group: Trucks: Not found, or you don't have access to it.",
    ]),
  );
  screen.getByText('Add: 1, change: 1, no change: 5, reject: 1 Records not shown: 3');
  const [, changed, ...others] = RAN.rows;
  const failed = { ...(changed ?? others[0]), result: 'conflict' } as PartsImport['rows'][number];
  const imported = { added: 1, changed: 0, failed: 1 };
  gateway.on(`POST ${BACKUP_PARTS_APPLY_PATH}`, () => answer({ ...RAN, state: 'done', rows: [failed], imported }));
  await user.click(screen.getByRole('button', { name: 'Import (2)' }));
  await screen.findByText(/Imported\. Added: 1, changed: 0, failed: 1/);
  expect(lines()).toEqual(['ChangeDevice BUS1Plate number: – → ABC-1Another user has changed it since the preview.']);
  screen.getByRole('button', { name: 'Close' });
});

test('a backup that can not be opened asks for its key, and the choice stays', async () => {
  const { gateway, answer, user } = await open();
  gateway.on(`POST ${BACKUP_PARTS_PATH}`, () => answer({ ...RAN, state: 'failed', fault: 'key-needed', rows: [] }));
  await user.click(screen.getByRole('checkbox', { name: 'Devices and device groups' }));
  await user.click(screen.getByRole('button', { name: 'Preview' }));
  await screen.findByText('Enter the passphrase or recovery key of this backup.');
  screen.getByLabelText('Passphrase or recovery key');
  gateway.on(`POST ${BACKUP_PARTS_PATH}`, () => answer({ ...RAN, state: 'failed', fault: 'wrong-key', rows: [] }));
  await user.type(screen.getByLabelText('Passphrase or recovery key'), 'a guess');
  await user.click(screen.getByRole('button', { name: 'Preview' }));
  await screen.findByText("The passphrase or recovery key doesn't match.");
  expect(screen.getByRole('checkbox', { name: 'Devices and device groups' })).toHaveProperty('checked', true);
});
