import { screen, waitFor, within } from '@testing-library/react';
import { expect, onTestFinished, test, vi } from 'vitest';
import * as uploads from '../../../../shared/api/uploads.ts';
import { BACKUP_UPLOADED_PATH } from '../../../../shared/protocol/api/system/restore.ts';
import { UPLOAD_STATE_PATH } from '../../../../shared/protocol/api/uploads/uploads.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { aBackup } from '../../../support/backup/backupRecords.ts';
import { noticeOf } from '../../../support/browser/notices.ts';
import { watchWarnings } from '../../../support/browser/renderPage.tsx';
import { button, ok, openBackups, refused } from './fakeBackups.tsx';

/** Uploads that have everything at once; returns what they were for. */
function takeUploads(): readonly string[] {
  const purposes: string[] = [];
  const spy = vi.spyOn(uploads, 'uploadFile').mockImplementation(async ({ size }, purpose) => {
    purposes.push(purpose);
    return { id: 'c'.repeat(32), purpose, bytes: size, sha256: '', receivedBytes: size, expiresAtMs: wallMs(0) };
  });
  onTestFinished(() => spy.mockRestore());
  return purposes;
}

test('a backup from elsewhere is uploaded in parts, and put among the others', async () => {
  watchWarnings();
  const purposes = takeUploads();
  const { gateway, user } = await openBackups();
  await user.click(await button('Upload backup'));
  const dialog = within(await screen.findByRole('dialog', { name: 'Upload backup' }));
  const add = dialog.getByRole('button', { name: 'Add to backups' });
  await user.click(add);
  await dialog.findByText('Select the file, and wait until it is uploaded.');
  await user.upload(dialog.getByLabelText('Select file'), new File([new Uint8Array(2_000)], 'other.fgb'));
  await dialog.findByText('Uploaded (2.0 kB)');
  for (const [code, text] of [
    ['not-a-backup', "This file isn't a backup of Fleetglass, or is damaged."],
    ['newer-backup', 'This backup was made by a newer version of Fleetglass. Update first.'],
    ['backup-folder-missing', "The backup folder is missing or can't be written to."],
  ] as const) {
    gateway.on(`POST ${BACKUP_UPLOADED_PATH}`, () => refused(422, code));
    await user.click(add);
    await dialog.findByText(text);
  }
  gateway.on(`POST ${BACKUP_UPLOADED_PATH}`, () => ok(aBackup({ id: 9 })));
  await user.click(add);
  expect(await noticeOf('Backup uploaded. It is being checked and added.')).toBe('info');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(gateway.callsOf(BACKUP_UPLOADED_PATH).at(-1)?.body).toEqual({ upload: 'c'.repeat(32) });
  expect(purposes).toEqual(['backup']);
  // The gateway has taken it over, so it isn't dropped.
  expect(gateway.callsOf(UPLOAD_STATE_PATH)).toEqual([]);
});
