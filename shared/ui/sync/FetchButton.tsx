import Button from '@mui/material/Button';
import i18next from 'i18next';
import { Suspense, useState } from 'react';
import { ChunkBoundary, lazyPart } from '../chunks.tsx';
import type { FetchDraft } from './fetchForm.ts';
import { useMayFetch } from './useMayFetch.ts';

// Few who look at a recording fetch one: the dialog comes with its texts when it is opened, and the page loads neither.
const FetchDialog = lazyPart('FetchDialog', async () => {
  const [part] = await Promise.all([
    import('./FetchDialog.tsx'),
    i18next.loadNamespaces(['FetchRecordings', 'SyncWords']),
  ]);
  return part.FetchDialog;
});

export interface FetchButtonProps {
  readonly label: string;
  /** What is asked for at first, as of the moment of the press. */
  readonly draftOf: () => Partial<FetchDraft>;
}

/** Asks a device for its recordings. Only members with `datasync` have it. */
export function FetchButton({ label, draftOf }: FetchButtonProps) {
  const mayFetch = useMayFetch();
  const [draft, setDraft] = useState<Partial<FetchDraft>>();
  if (!mayFetch) return null;
  return (
    <>
      <Button size="small" variant="outlined" color="inherit" onClick={() => setDraft(draftOf())}>
        {label}
      </Button>
      <ChunkBoundary>
        <Suspense fallback={null}>
          {draft !== undefined && (
            <FetchDialog draft={draft} onRequested={() => setDraft(undefined)} onClose={() => setDraft(undefined)} />
          )}
        </Suspense>
      </ChunkBoundary>
    </>
  );
}
