import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import {
  type DryRun,
  RESTORE_PATH,
  RESTORE_PLAN_PATH,
  type WantedRestorePlan,
} from '../../../../shared/protocol/api/system/restore.ts';
import { aBackup, aDryRun, aLastRestore } from '../../../support/backup/backupRecords.ts';
import { watchWarnings } from '../../../support/browser/renderPage.tsx';
import { STATUS_PATH } from '../../../support/fakes/fakeUsers.ts';
import { insertText } from '../../insertText.ts';
import { type BackupSetUp, button, ok, openBackups, refused } from './fakeBackups.tsx';

const NAME = '2026-11-23 02:00:00';
const TITLE = `Restore the backup of ${NAME}`;

/** The dry run answers as it is told, first for the key that the installation keeps. */
async function openRestore(answers: (wanted: WantedRestorePlan) => DryRun, setUp: BackupSetUp = {}) {
  const page = await openBackups(setUp);
  const { gateway, held, user } = page;
  gateway.on(`POST ${RESTORE_PLAN_PATH}`, ({ body }) => {
    held.restore = { ...held.restore, dryRun: answers(body as WantedRestorePlan) };
    return ok(held.restore);
  });
  await user.click(await button(TITLE));
  const dialog = within(await screen.findByRole('dialog', { name: TITLE }));
  const press = async (name: string) => user.click(await dialog.findByRole('button', { name }));
  return { ...page, dialog, press };
}

const textsOf = (region: HTMLElement) => region.textContent;

describe('the preview of a restore (S-2.4.19)', () => {
  test('says what would happen before anything does', async () => {
    const { dialog, gateway, press } = await openRestore(() => aDryRun());
    await dialog.findByText('An earlier version made the backup. Its data is converted.');
    dialog.getByText('The backup is from another kind of database. Its data is converted.');
    dialog.getByText("The backup doesn't have: Data usage");
    const lost = textsOf(dialog.getByRole('region', { name: 'Added since the backup, and lost' }));
    expect(lost).toContain('3, including Bus 11, Bus 12');
    const since = textsOf(dialog.getByRole('region', { name: 'Happened since the backup' }));
    for (const text of ['Events17', 'Positions1,000', 'Audit log entries40']) expect(since).toContain(text);
    const tables = dialog.getByRole('region', { name: 'Tables that change' });
    expect(within(tables).getAllByRole('listitem').map(textsOf)).toEqual([
      'deviceNow: 12, in the backup: 10Added: 1, kept: 9, removed: 3',
      'positionNow: 5,000, in the backup: 4,000',
    ]);
    const kept = textsOf(dialog.getByRole('region', { name: 'Keep from the current state' }));
    for (const text of [
      'Members stay disabled1 · chen',
      'Changed passwords stayNone',
      'Share links stay revoked2 · Bus 11 (mei), Bus 12, for the police (chen)',
    ])
      expect(kept).toContain(text);
    await press('Cancel');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(gateway.callsOf(RESTORE_PLAN_PATH).map(({ method }) => method)).toEqual(['POST', 'DELETE']);
  });

  test('asks for the key when the one that the server keeps does not fit', async () => {
    const answers = ({ key }: WantedRestorePlan) =>
      key === 'right' ? aDryRun() : aDryRun({ state: 'failed', fault: 'wrong-key', plan: null });
    const { dialog, gateway, press, user } = await openRestore(answers);
    const key = await dialog.findByLabelText('Passphrase');
    await press('Continue');
    await dialog.findByText('Enter the passphrase or recovery key.');
    await insertText(user, key, 'wrong');
    await press('Continue');
    await dialog.findByText("The passphrase or recovery key doesn't match.");
    await user.clear(await dialog.findByLabelText('Passphrase'));
    await insertText(user, dialog.getByLabelText('Passphrase'), 'right');
    await press('Continue');
    await dialog.findByRole('region', { name: 'Tables that change' });
    const keys = gateway.callsOf(RESTORE_PLAN_PATH).map(({ body }) => (body as WantedRestorePlan).key);
    expect(keys).toEqual(['', 'wrong', 'right']);
  });

  test('shows how far it is, and what it failed of', async () => {
    const running = aDryRun({ state: 'running', rows: 1_234, plan: null });
    const { dialog, held, press, sockets } = await openRestore(() => running);
    await dialog.findByText('Reading the backup. Nothing is changed yet.');
    dialog.getByText('Rows so far: 1,234');
    held.restore = { ...held.restore, dryRun: { ...running, state: 'failed', fault: 'damaged' } };
    sockets[0]?.open();
    sockets[0]?.tell({ type: 'backups', revision: 2, reload: true });
    await dialog.findByText('The file is damaged.');
    await press('Try again');
    await dialog.findByText('Rows so far: 1,234');
  });

  test('a refusal is told', async () => {
    watchWarnings();
    const { gateway, user } = await openBackups();
    gateway.on(`POST ${RESTORE_PLAN_PATH}`, () => refused(404, 'backup-file-missing'));
    await user.click(await button(TITLE));
    await screen.findByText('The file of this backup is no longer in its folder.');
    // What may be there is another user's.
    await user.click(await button('Cancel'));
    expect(gateway.callsOf(RESTORE_PLAN_PATH).map(({ method }) => method)).toEqual(['POST']);
  });
});

describe('the confirmation of a restore', () => {
  test('takes the title and the password, and says what stays', async () => {
    watchWarnings();
    const { dialog, gateway, press, user } = await openRestore(() => aDryRun());
    await user.click(await dialog.findByRole('checkbox', { name: 'Share links stay revoked' }));
    await press('Continue');
    const title = await dialog.findByRole('textbox', { name: 'Title of this site' });
    await insertText(user, title, 'Southern Fleet');
    await press('Restore');
    expect(title.getAttribute('aria-invalid')).toBe('true');
    expect(gateway.callsOf(RESTORE_PATH).filter(({ method }) => method === 'POST')).toEqual([]);
    await user.clear(title);
    await insertText(user, title, 'Northern Fleet');
    await press('Restore');
    await dialog.findByText('Enter your password.');
    await insertText(user, dialog.getByLabelText('Password'), 'correct horse');
    gateway.on(`POST ${RESTORE_PATH}`, () => refused(403, 'wrong-password'));
    await press('Restore');
    await waitFor(() => expect(dialog.getByLabelText('Password').getAttribute('aria-invalid')).toBe('true'));
    gateway.on(`POST ${RESTORE_PATH}`, () => refused(422, 'wrong-title'));
    await press('Restore');
    await dialog.findByText("This isn't the title of this site.");
    gateway.on(`POST ${RESTORE_PATH}`, () => ok({}));
    gateway.on('GET /readyz', () => refused(503, 'restoring'));
    await press('Restore');
    await dialog.findByText("Restore in progress. You'll be signed out.");
    expect(gateway.callsOf(RESTORE_PATH).findLast(({ method }) => method === 'POST')?.body).toEqual({
      plan: 'dry-run-1',
      title: 'Northern Fleet',
      password: 'correct horse',
      keep: { disabled: true, passwords: true, links: false, history: true },
    });
    // It can't be left, and the dry run is not dropped: it is what is being restored.
    await user.keyboard('{Escape}');
    dialog.getByText("Restore in progress. You'll be signed out.");
    expect(gateway.callsOf(RESTORE_PLAN_PATH).map(({ method }) => method)).toEqual(['POST']);
  });

  test('asks who is there once the gateway answers again, and shows how it went', async () => {
    const { dialog, gateway, held, press, user } = await openRestore(() => aDryRun());
    await press('Continue');
    await insertText(user, await dialog.findByRole('textbox', { name: 'Title of this site' }), 'Northern Fleet');
    await insertText(user, dialog.getByLabelText('Password'), 'correct horse');
    gateway.on(`POST ${RESTORE_PATH}`, () => {
      held.restore = { dryRun: null, last: aLastRestore({ fault: 'start-failed', kept: null }) };
      return ok({});
    });
    gateway.on('GET /readyz', () => ok({ ready: true }));
    const before = gateway.callsOf(STATUS_PATH).length;
    await press('Restore');
    await screen.findByText('Restore of 2026-11-23 03:00:00 failed');
    expect(gateway.callsOf(STATUS_PATH).length).toBeGreaterThan(before);
    screen.getByText("The server didn't start with the restored data. Everything is as it was before.");
    expect(screen.queryByRole('dialog')).toBeNull();
  });
});

test('the last restore stands on the page with what was kept', async () => {
  await openBackups({ restore: { last: aLastRestore() }, list: { backups: [aBackup()] } });
  await screen.findByText(`Backup of ${NAME} restored 2026-11-23 03:00:00`);
  for (const text of [
    /^By mei, in 42 s\./,
    'Members still disabled: chen',
    'Share links still revoked: 2 · Bus 11 (mei), Bus 12, for the police (chen)',
    'Audit log entries kept: 40',
    'History kept: Data usage',
    "History not kept, because the backup doesn't have all its devices: Audit log",
  ])
    screen.getByText(text);
});
