import { Suspense } from 'react';
import type { Backup } from '../../../../shared/protocol/api/system/backups.ts';
import { ChunkBoundary, lazyPart } from '../../../../shared/ui/chunks.tsx';
import { DeleteDialog } from './DeleteDialog.tsx';
import { DetailsDialog } from './DetailsDialog.tsx';
import { MakeDialog } from './MakeDialog.tsx';

const DownloadDialog = lazyPart('DownloadDialog', async () => (await import('./DownloadDialog.tsx')).DownloadDialog);
const UploadDialog = lazyPart('UploadDialog', async () => (await import('./UploadDialog.tsx')).UploadDialog);
const PartsDialog = lazyPart('PartsDialog', async () => (await import('../parts/PartsDialog.tsx')).PartsDialog);
const TestDialog = lazyPart('TestDialog', async () => (await import('./TestDialog.tsx')).TestDialog);
const RestoreDialog = lazyPart(
  'RestoreDialog',
  async () => (await import('../restore/RestoreDialog.tsx')).RestoreDialog,
);

export type BackupDialogKind = 'details' | 'test' | 'download' | 'restore' | 'parts' | 'delete';

export type OpenedDialog =
  | { readonly kind: 'make' | 'upload' }
  | { readonly kind: BackupDialogKind; readonly backup: Backup };

export interface BackupDialogsProps {
  readonly opened: OpenedDialog;
  readonly onClose: () => void;
}

/** What is asked before something is done with a backup, each loaded when it is first needed. */
export function BackupDialogs({ opened, onClose }: BackupDialogsProps) {
  return (
    <ChunkBoundary>
      <Suspense fallback={null}>
        <Opened opened={opened} onClose={onClose} />
      </Suspense>
    </ChunkBoundary>
  );
}

function Opened({ opened, onClose }: BackupDialogsProps) {
  switch (opened.kind) {
    case 'make':
      return <MakeDialog onClose={onClose} />;
    case 'upload':
      return <UploadDialog onClose={onClose} />;
    case 'details':
      return <DetailsDialog backup={opened.backup} onClose={onClose} />;
    case 'test':
      return <TestDialog backup={opened.backup} onClose={onClose} />;
    case 'download':
      return <DownloadDialog backup={opened.backup} onClose={onClose} />;
    case 'restore':
      return <RestoreDialog backup={opened.backup} onClose={onClose} />;
    case 'parts':
      return <PartsDialog backup={opened.backup} onClose={onClose} />;
    case 'delete':
      return <DeleteDialog backup={opened.backup} onClose={onClose} />;
  }
}
