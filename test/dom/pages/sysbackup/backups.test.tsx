import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import {
  BACKUP_PLAN_PATH,
  BACKUPS_PATH,
  backupCancelPath,
  backupDownloadPath,
  backupPath,
  backupTestPath,
} from '../../../../shared/protocol/api/system/backups.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { aBackup } from '../../../support/backup/backupRecords.ts';
import { noticeOf } from '../../../support/browser/notices.ts';
import { watchDownloads, watchWarnings } from '../../../support/browser/renderPage.tsx';
import { button, ok, openBackups, refused } from './fakeBackups.tsx';

const items = async () => within(await screen.findByRole('list', { name: 'Backups' })).getAllByRole('listitem');
const NAME = '2026-11-23 02:00:00';

describe('the list of backups (S-2.4.19)', () => {
  test('tells of each what is in it and whether it can be restored, in the zone of the user (S-9.11)', async () => {
    const failed = aBackup({
      id: 6,
      state: 'failed',
      fault: 'disk-full',
      isManual: true,
      madeBy: 'mei',
      note: 'Before the move',
      encryption: 'none',
    });
    const cut = aBackup({ id: 5, state: 'failed', fault: 'truncated' });
    await openBackups({ list: { backups: [aBackup(), failed, cut] } });
    const [first, second, third] = (await items()).map(({ textContent }) => textContent);
    expect(third).toContain('The end of the file is missing.');
    for (const text of [
      NAME,
      'Done',
      'By schedule',
      '12.4 MB · Rows: 31,415',
      'Encrypted with a passphrase',
      'Settings and master data, Positions and trips, Events, Event media',
      'Test restore succeeded 2026-11-23, 41 s',
    ])
      expect(first).toContain(text);
    for (const text of ['Failed', 'By mei', 'Before the move', 'The disk is full.', 'Not encrypted'])
      expect(second).toContain(text);
    // There is nothing to be tested, taken away or restored.
    const disabled = screen.getAllByRole<HTMLButtonElement>('button').filter((each) => each.disabled);
    const used = ['Test', 'Download', 'Restore', 'Import'];
    expect(disabled.map((each) => each.getAttribute('aria-label')?.split(' ')[0])).toEqual([...used, ...used]);
  });

  test('one that is tested again tells nothing of why an earlier test failed', async () => {
    const { test: passed } = aBackup();
    const again = aBackup({ test: { ...passed, state: 'running', fault: 'damaged' } });
    await openBackups({
      list: { backups: [again, aBackup({ id: 6, test: { ...passed, state: 'failed', fault: 'damaged' } })] },
    });
    const [running, failed] = (await items()).map(({ textContent }) => textContent);
    expect(running).toContain('Test restore running…');
    expect(running).not.toContain('damaged');
    expect(failed).toMatch(/Test restore failed 2026-11-23 · .*damaged/);
  });

  test('one of another machine says that its contents are not known yet, and one before a restore what it is', async () => {
    const uploaded = aBackup({ id: 6, isManual: true, isUploaded: true, madeBy: 'mei', rows: 0 });
    const read = aBackup({ id: 7, isManual: true, isUploaded: true, madeBy: 'mei' });
    const before = aBackup({ id: 5, isManual: true, madeBy: 'mei', note: 'Before a restore' });
    await openBackups({ list: { backups: [uploaded, before, read] }, locale: 'jp' });
    const [first, second, third] = (await screen.findAllByRole('listitem')).map(({ textContent }) => textContent);
    expect(first).toContain('アップロード：mei');
    expect(first).toContain('テストすると内容が表示されます');
    expect(third).not.toContain('テストすると内容が表示されます');
    expect(third).toContain('31,415');
    expect(second).toContain('復元の直前');
  });

  test('the head says when, where and that recordings are in none', async () => {
    await openBackups();
    const head = within(await screen.findByRole('region', { name: 'Overview' }));
    head.getByText('2026-11-24 02:00:00');
    head.getByText(`${NAME} · Done`);
    head.getByText('Test restore succeeded 2026-11-23, 41 s');
    head.getByText('/mnt/backups');
    head.getByText(/never in a backup\. They stay in \/srv\/recordings/);
    expect(head.queryAllByRole('alert')).toEqual([]);
  });

  test('warnings name what is missing', async () => {
    await openBackups({
      list: { backups: [], nextRunAtMs: wallMs(0), isFolderSet: false },
      plan: { enabled: false, encryption: 'none', hasKey: false },
    });
    const head = within(await screen.findByRole('region', { name: 'Overview' }));
    expect(head.getAllByRole('alert').map(({ textContent }) => textContent)).toEqual([
      'Scheduled backups are off. Turn them on on the Plan tab.',
      "Backups aren't encrypted, so keys and certificates are left out. Set up encryption on the Plan tab.",
      'Backups are on the same disk as the data. Set BACKUP_DIR to a folder on another disk, such as a network share.',
    ]);
    head.getByText('Not scheduled');
    screen.getByText('No backups yet. Make one now, or set up the plan.');
  });

  test.each([['system'], ['sysbackup']])('needs both permissions, not %s alone (S-6.2)', async (permission) => {
    const { gateway } = await openBackups({ permission: [permission] });
    await screen.findByText("You don't have permission for this page. Ask your administrator for it.");
    expect(gateway.callsOf(BACKUPS_PATH)).toEqual([]);
  });

  test.each(['zh-TW', 'jp'] as const)('speaks %s (S-1.4)', async (locale) => {
    await openBackups({ locale });
    const [item] = await screen.findAllByRole('listitem');
    expect(item?.textContent).not.toMatch(/Test restore|By schedule|Done/);
  });
});

describe('what needs every permission', () => {
  test('is not offered without them, and the page says so', async () => {
    await openBackups({ permission: ['system', 'sysbackup'] });
    screen.getByText('Restores and downloads need all permissions.');
    const disabled = screen.getAllByRole<HTMLButtonElement>('button').filter((each) => each.disabled);
    expect(disabled.map((each) => each.getAttribute('aria-label')?.split(' ')[0])).toEqual(['Download', 'Restore']);
  });

  test('leaves the plan to be changed, but not its encryption', async () => {
    await openBackups({ permission: ['system', 'sysbackup'], query: '?tab=plan' });
    const choice = await screen.findByRole<HTMLSelectElement>('combobox', { name: 'Encryption' });
    expect(choice.disabled).toBe(true);
    screen.getByText('Changing the encryption needs all permissions.');
    expect(screen.queryByLabelText('New passphrase')).toBeNull();
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: /Time of day/ }).disabled).toBe(false);
  });

  test('another key is saved with the password, and with the code where there is one', async () => {
    watchWarnings();
    const { gateway, user } = await openBackups({ query: '?tab=plan', isEnrolled: true });
    await user.selectOptions(await screen.findByRole('combobox', { name: 'Encryption' }), 'recovery-key');
    await user.click(await button('Save'));
    await screen.findByText('Enter your password.');
    await user.type(screen.getByLabelText('Password'), 'mine');
    await user.type(await screen.findByLabelText('Verification code'), '123456');
    gateway.on(`PUT ${BACKUP_PLAN_PATH}`, () => refused(403, 'wrong-password'));
    await user.click(await button('Save'));
    await screen.findByText("The current password isn't correct. Enter it again.");
    expect(gateway.callsOf(BACKUP_PLAN_PATH).at(-1)?.body).toMatchObject({ password: 'mine', code: '123456' });
  });
});

describe('what is done with a backup', () => {
  test('one is made with a note, its progress is shown and can be canceled (S-1.5)', async () => {
    const { gateway, held, sockets, user } = await openBackups();
    await user.click(await button('Back up now'));
    await user.type(await screen.findByRole('textbox', { name: 'Note' }), ' Before the move ');
    held.list = {
      ...held.list,
      backups: [aBackup({ id: 8, state: 'running', bytes: 0 }), ...held.list.backups],
      running: { id: 8, does: 'write', rows: 1_200, bytes: 3_400_000 },
    };
    await user.click(await button('Back up'));
    expect(await noticeOf('Backup started.')).toBe('info');
    expect(gateway.callsOf(BACKUPS_PATH).find(({ method }) => method === 'POST')?.body).toEqual({
      note: 'Before the move',
    });
    await screen.findByText('Backing up…');
    await screen.findByText('Rows so far: 1,200 · 3.4 MB');
    expect((await button('Back up now')).disabled).toBe(true);
    await user.click(await button('Cancel'));
    await waitFor(() => expect(gateway.callsOf(backupCancelPath(8))).toHaveLength(1));
    held.list = { ...held.list, running: null };
    sockets[0]?.open();
    sockets[0]?.tell({ type: 'backups', revision: 2, reload: true });
    await waitFor(() => expect(screen.queryByText('Backing up…')).toBeNull());
  });

  test('a refusal to make one is told in the dialog', async () => {
    watchWarnings();
    const { gateway, user } = await openBackups();
    gateway.on(`POST ${BACKUPS_PATH}`, () => refused(409, 'backup-key-missing'));
    await user.click(await button('Back up now'));
    await user.click(await button('Back up'));
    await screen.findByText('There is no passphrase or recovery key that can be used. Set one in the plan.');
  });

  test('it is tested again, or it is said why not (S-1.5)', async () => {
    watchWarnings();
    const { gateway, user } = await openBackups();
    await user.click(await button(`Test the backup of ${NAME}`));
    expect(await noticeOf('Test started.')).toBe('info');
    expect(gateway.callsOf(backupTestPath(7)).map(({ body }) => body)).toEqual([{ key: '' }]);
    gateway.on(`POST ${backupTestPath(7)}`, () => refused(409, 'backup-running'));
    await user.click(await button(`Test the backup of ${NAME}`));
    expect(await noticeOf('A backup or a test is running. Wait for it to finish and try again.')).toBe('error');
  });

  test('one from elsewhere is tested with its key, and a wrong one is told at the field', async () => {
    watchWarnings();
    const uploaded = aBackup({ isManual: true, isUploaded: true, rows: 0, encryption: 'recovery-key' });
    const { gateway, user } = await openBackups({ list: { backups: [uploaded] } });
    gateway.on(`POST ${backupTestPath(7)}`, ({ body }) =>
      (body as { key: string }).key === 'right'
        ? ok(uploaded)
        : refused(422, 'refused', { fields: { key: 'wrong-key' } }),
    );
    await user.click(await button(`Test the backup of ${NAME}`));
    const dialog = within(await screen.findByRole('dialog', { name: `Test the backup of ${NAME}` }));
    await user.click(dialog.getByRole('button', { name: 'Continue' }));
    await dialog.findByText('Enter the passphrase or recovery key.');
    expect(gateway.callsOf(backupTestPath(7))).toEqual([]);
    await user.type(dialog.getByLabelText('Recovery key'), 'wrong');
    await user.click(dialog.getByRole('button', { name: 'Continue' }));
    await dialog.findByText("The passphrase or recovery key doesn't match.");
    await user.clear(dialog.getByLabelText('Recovery key'));
    await user.type(dialog.getByLabelText('Recovery key'), ' right');
    await user.click(dialog.getByRole('button', { name: 'Continue' }));
    expect(await noticeOf('Test started.')).toBe('info');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(gateway.callsOf(backupTestPath(7)).map(({ body }) => body)).toEqual([{ key: 'wrong' }, { key: 'right' }]);
  });

  test('the key is asked for where the installation turns out not to have it', async () => {
    watchWarnings();
    const { gateway, user } = await openBackups();
    gateway.on(`POST ${backupTestPath(7)}`, () => refused(422, 'refused', { fields: { key: 'required' } }));
    await user.click(await button(`Test the backup of ${NAME}`));
    const dialog = within(await screen.findByRole('dialog', { name: `Test the backup of ${NAME}` }));
    await dialog.findByLabelText('Passphrase');
    expect(dialog.queryByText("The passphrase or recovery key doesn't match.")).toBeNull();
  });

  test('one that was uploaded is shown while it is added, by its bytes alone', async () => {
    const running = { id: 8, does: 'take', rows: 0, bytes: 3_400_000 } as const;
    await openBackups({ list: { running } });
    const notice = within(await screen.findByRole('group', { name: 'Adding the uploaded backup…' }));
    notice.getByText('3.4 MB');
  });

  test('it is deleted after a question, unless it is the last that is known to be good (S-1.5)', async () => {
    watchWarnings();
    const { gateway, user } = await openBackups();
    gateway.on(`DELETE ${backupPath(7)}`, () => refused(409, 'last-tested-backup'));
    await user.click(await button(`Delete the backup of ${NAME}`));
    const dialog = within(await screen.findByRole('alertdialog', { name: `Delete the backup of ${NAME}?` }));
    await user.click(dialog.getByRole('button', { name: 'Delete' }));
    await dialog.findByText('This is the newest backup that passed its test. Make and test another one first.');
    gateway.on(`DELETE ${backupPath(7)}`, { error: false, data: {} });
    await user.click(dialog.getByRole('button', { name: 'Delete' }));
    expect(await noticeOf('Backup deleted.')).toBe('success');
  });

  test('it is taken away with the password, and the code where there is one', async () => {
    watchWarnings();
    const { gateway, user } = await openBackups({ isEnrolled: true });
    gateway.on(`POST ${backupDownloadPath(7)}`, ({ body }) =>
      (body as { password: string }).password === 'right'
        ? new Response(JSON.stringify({ error: false, data: { address: '/api/download/abc' } }))
        : refused(403, 'wrong-password'),
    );
    await user.click(await button(`Download the backup of ${NAME}`));
    const dialog = within(await screen.findByRole('alertdialog'));
    await user.click(dialog.getByRole('button', { name: 'Download' }));
    await dialog.findByText('Enter your password.');
    await user.type(dialog.getByLabelText('Password'), 'wrong');
    await user.type(await dialog.findByLabelText('Verification code'), '123456');
    await user.click(dialog.getByRole('button', { name: 'Download' }));
    await waitFor(() => expect(dialog.getByLabelText('Password').getAttribute('aria-invalid')).toBe('true'));
    await user.clear(dialog.getByLabelText('Password'));
    await user.type(dialog.getByLabelText('Password'), 'right');
    const downloads = watchDownloads();
    await user.click(dialog.getByRole('button', { name: 'Download' }));
    await waitFor(() => expect(downloads).toEqual(['/api/download/abc']));
    expect(gateway.callsOf(backupDownloadPath(7)).at(-1)?.body).toEqual({ password: 'right', code: '123456' });
  });

  test('its details have what else is known of it', async () => {
    const { user } = await openBackups();
    await user.click(await button(`Details of the backup of ${NAME}`));
    const dialog = within(await screen.findByRole('dialog', { name: `Backup of ${NAME}` }));
    for (const text of ['fleetglass-20261122-180000.fgb', 'ab'.repeat(32), 'SQLite', '1 min 5 s', '1.4.0'])
      dialog.getByText(text);
  });
});
