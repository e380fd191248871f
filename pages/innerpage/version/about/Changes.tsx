import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import type { Changes as ProductChanges } from '../../../../shared/protocol/api/system/about.ts';

/** The change log in its own words. */
export function Changes({ changes }: { readonly changes: ProductChanges }) {
  const { t } = useTranslation('Version');
  const { previousVersion, markdown, isCut } = changes;
  return (
    <Box sx={{ display: 'grid', gap: 1, minWidth: 0 }}>
      {previousVersion !== '' && (
        <Box sx={{ color: 'text.secondary' }}>{t('Since version {{version}}', { version: previousVersion })}</Box>
      )}
      <Box component="pre" lang="en" tabIndex={0} sx={TEXT}>
        {markdown}
      </Box>
      {isCut && <Box sx={{ color: 'text.secondary' }}>{t('There is more in CHANGELOG.md.')}</Box>}
    </Box>
  );
}

const TEXT = {
  m: 0,
  p: 1.5,
  maxHeight: 420,
  overflowY: 'auto',
  whiteSpace: 'pre-wrap',
  overflowWrap: 'anywhere',
  fontSize: 12,
  border: 1,
  borderColor: 'divider',
  borderRadius: 1,
} as const;
