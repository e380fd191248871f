// Parts of a page that are loaded when they are needed. One that fails or does not come is named, with a way on.
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { Component, type ComponentType, type LazyExoticComponent, lazy, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ChunkLoadError, loadChunk } from './loadChunk.ts';

/** `React.lazy` with the chunk's rules. `name` is what the chunk is called where its file name cannot be known. */
export function lazyPart<Props>(
  name: string,
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => ({ default: await loadChunk(load, name) }));
}

interface BoundaryState {
  readonly failure: ChunkLoadError | undefined;
}

/** Shows which part is missing in place of it; what surrounds it goes on. Other errors are bugs and pass. */
export class ChunkBoundary extends Component<{ readonly children: ReactNode }, BoundaryState> {
  override state: BoundaryState = { failure: undefined };

  static getDerivedStateFromError(error: unknown): BoundaryState {
    if (error instanceof ChunkLoadError) return { failure: error };
    throw error;
  }

  override render(): ReactNode {
    const { failure } = this.state;
    return failure === undefined ? this.props.children : <ChunkFailure chunk={failure.chunk} />;
  }
}

function ChunkFailure({ chunk }: { readonly chunk: string }) {
  const { t } = useTranslation('Common');
  const reload = (
    <Button color="inherit" size="small" onClick={() => window.location.reload()}>
      {t('Reload page')}
    </Button>
  );
  return (
    <Alert severity="error" action={reload} sx={{ m: 2, overflowWrap: 'anywhere' }}>
      {t("Part of this page didn't load ({{chunk}}). Reload the page.", { chunk })}
    </Alert>
  );
}
