import Box from '@mui/material/Box';
import DialogContent from '@mui/material/DialogContent';
import LinearProgress from '@mui/material/LinearProgress';
import { useEffect, useEffectEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { isGatewayReady } from '../../../../shared/api/backup/readiness.ts';
import { recheckSession } from '../../../../shared/ui/session.ts';
import { waitUntilReady } from './waitUntilReady.ts';

/** The session has ended with a restore that went well: the page goes to sign-in. Else `onEnded` shows how it went. */
export function RestoringStep({ onEnded }: { readonly onEnded: () => void }) {
  const { t } = useTranslation('SystemBackup');
  const end = useEffectEvent(async () => {
    await recheckSession();
    onEnded();
  });
  useEffect(() => {
    const abort = new AbortController();
    void waitUntilReady(isGatewayReady, abort.signal).then((isReady) => {
      if (isReady) void end();
    });
    return () => abort.abort();
  }, []);
  return (
    <DialogContent sx={{ display: 'grid', gap: 1.5, alignContent: 'start', pb: 3 }}>
      <Box role="status">{t("Restore in progress. You'll be signed out.")}</Box>
      <LinearProgress aria-label={t('Restore in progress')} />
    </DialogContent>
  );
}
