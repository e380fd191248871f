import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import { getBundleContents, requestBundle } from '../../../../shared/api/version/bundle.ts';
import { errorText } from '../../../../shared/i18n/errorText.ts';
import { DownloadButton } from '../../../../shared/ui/files/DownloadButton.tsx';
import { Section } from '../../../../shared/ui/form/Section.tsx';
import { useRecord } from '../../../../shared/ui/records/useRecord.ts';
import { Waiting } from '../../../../shared/ui/Waiting.tsx';
import { BundleFiles } from './BundleFiles.tsx';

/** What those who help get to see, and what they don't, before it is downloaded. */
export function SupportTab() {
  const { t } = useTranslation('Version');
  const { value, failure } = useRecord({ key: ['bundle'], load: getBundleContents });
  if (value === undefined) {
    return failure === undefined ? <Waiting /> : <Alert severity="error">{errorText(failure)}</Alert>;
  }
  const leftOut = [
    t('Passwords, keys, tokens and links'),
    t('Users, drivers, mail addresses and phone numbers'),
    t('Plates, device IDs, terminal numbers, ICCIDs and SIM numbers'),
    t('Positions, geofences and network addresses'),
    t('Titles, names, notes and rules that members have typed'),
  ];
  return (
    <Box sx={{ display: 'grid', gap: 3, overflowY: 'auto', pb: 2, alignContent: 'start' }}>
      <Box sx={{ maxWidth: '70ch' }}>
        {t(
          'A support bundle helps others find out what is wrong with this installation. Each download is recorded in the audit log.',
        )}
      </Box>
      <Section title={t('What it has')} level="h2">
        <BundleFiles files={value.files} />
      </Section>
      <Section title={t("What's left out")} level="h2">
        <Box component="ul" sx={{ m: 0, pl: 2.5 }}>
          {leftOut.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </Box>
        <Box sx={{ maxWidth: '70ch' }}>
          {t(
            'Host names, and texts of the log that may contain names, are replaced with aliases. Each bundle has its own aliases.',
          )}
        </Box>
      </Section>
      <Box>
        <DownloadButton label={t('Download support bundle')} request={requestBundle} />
      </Box>
    </Box>
  );
}
