import Alert from '@mui/material/Alert';
import AlertTitle from '@mui/material/AlertTitle';
import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import { listText } from '../../../../shared/i18n/listText.ts';
import type { KeptByRestore, LastRestore } from '../../../../shared/protocol/api/system/restore.ts';
import { formatTimestamp } from '../../../../shared/time/format.ts';
import { useUserZone } from '../../../../shared/time/userZone.ts';
import { useNamesText } from '../restore/useNamesText.ts';
import { tookText } from '../words/tookText.ts';
import { useContentTexts } from '../words/useContentTexts.ts';
import { useFaultText } from '../words/useFaultText.ts';

/** How the last restore since the start of the server went, and what of the state before it stayed. */
export function LastRestoreNotice({ restore }: { readonly restore: LastRestore }) {
  const { t } = useTranslation('SystemBackup');
  const zone = useUserZone();
  const faultText = useFaultText();
  const { fault, kept, by, durationMs } = restore;
  const values = {
    created: formatTimestamp(restore.createdAtMs, zone),
    ended: formatTimestamp(restore.endedAtMs, zone),
    name: by,
    duration: tookText(durationMs),
  };
  if (fault !== '') {
    return (
      <Alert severity="error">
        <AlertTitle>{t('Restore of {{ended}} failed', values)}</AlertTitle>
        {faultText(fault)} {t('Everything is as it was before.')}
      </Alert>
    );
  }
  return (
    <Alert severity="success" sx={{ '& .MuiAlert-message': { minWidth: 0 } }}>
      <AlertTitle>{t('Backup of {{created}} restored {{ended}}', values)}</AlertTitle>
      {t('By {{name}}, in {{duration}}.', values)}
      {kept !== null && <KeptList kept={kept} />}
    </Alert>
  );
}

function KeptList({ kept }: { readonly kept: KeptByRestore }) {
  const lines = useKeptLines()(kept);
  return (
    <Box component="ul" sx={{ m: 0, mt: 0.5, pl: 2.5, overflowWrap: 'anywhere' }}>
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </Box>
  );
}

function useKeptLines(): (kept: KeptByRestore) => readonly string[] {
  const { t } = useTranslation('SystemBackup');
  const { historyList } = useContentTexts();
  const namesText = useNamesText();
  return ({ disabled, passwordChanged, revokedLinks, auditRows, history }) => {
    const partsWith = (wanted: KeptByRestore['history'][number]['outcome']) =>
      historyList(history.filter(({ outcome }) => outcome === wanted).map(({ part }) => part));
    const [keptParts, unfit, unwanted] = [partsWith('kept'), partsWith('does-not-fit'), partsWith('not-wanted')];
    return [
      disabled.length > 0 && t('Members still disabled: {{names}}', { names: listText(disabled) }),
      passwordChanged.length > 0 && t('Passwords still as changed: {{names}}', { names: listText(passwordChanged) }),
      revokedLinks.count > 0 && t('Share links still revoked: {{names}}', { names: namesText(revokedLinks) }),
      auditRows > 0 && t('Audit log entries kept: {{number}}', { number: auditRows }),
      keptParts !== '' && t('History kept: {{parts}}', { parts: keptParts }),
      unfit !== '' &&
        t("History not kept, because the backup doesn't have all its devices: {{parts}}", { parts: unfit }),
      unwanted !== '' && t('History not kept, as selected: {{parts}}', { parts: unwanted }),
    ].filter((line) => line !== false);
  };
}
