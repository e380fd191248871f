// A fault of ours takes its part of the page with it, not the whole: what is left says so and offers a way on.
import Alert from '@mui/material/Alert';
import AlertTitle from '@mui/material/AlertTitle';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { Component, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ChunkBoundary } from '../chunks.tsx';

interface BoundaryState {
  readonly fault: Error | undefined;
}

export class PageErrorBoundary extends Component<{ readonly children: ReactNode }, BoundaryState> {
  override state: BoundaryState = { fault: undefined };

  static getDerivedStateFromError(error: unknown): BoundaryState {
    return { fault: error instanceof Error ? error : new Error(String(error)) };
  }

  override render(): ReactNode {
    const { fault } = this.state;
    if (fault === undefined) return <ChunkBoundary>{this.props.children}</ChunkBoundary>;
    return <PageFault fault={fault} onRetry={() => this.setState({ fault: undefined })} />;
  }
}

function PageFault({ fault, onRetry }: { readonly fault: Error; readonly onRetry: () => void }) {
  const { t } = useTranslation(['Frame', 'Common']);
  return (
    <Alert severity="error" role="alert">
      <AlertTitle>{t('This part of the page failed')}</AlertTitle>
      {t('Try again. If it fails again, send your administrator the details below.')}
      <Box component="pre" sx={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere', fontSize: 12, my: 1 }}>
        {`${fault.name}: ${fault.message}`}
      </Box>
      <Button color="inherit" size="small" onClick={onRetry}>
        {t('Try again')}
      </Button>
      <Button color="inherit" size="small" onClick={() => window.location.reload()}>
        {t('Reload page', { ns: 'Common' })}
      </Button>
    </Alert>
  );
}
