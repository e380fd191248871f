import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import type { About } from '../../../../shared/protocol/api/system/about.ts';
import { formatTimestamp } from '../../../../shared/time/format.ts';
import { useUserZone } from '../../../../shared/time/userZone.ts';

/** The newest sign of life first. */
export function GatewayList({ gateways }: Pick<About, 'gateways'>) {
  const { t } = useTranslation('Version');
  const zone = useUserZone();
  return (
    <Box component="ul" sx={{ m: 0, pl: 2.5, display: 'grid', gap: 0.5 }}>
      {gateways.map(({ id, host, version, startedAtMs, seenAtMs, isThis }) => (
        <Box component="li" key={id} sx={{ overflowWrap: 'anywhere' }}>
          {isThis ? t('{{host}} (this server)', { host }) : host}
          <Box component="span" sx={{ color: 'text.secondary' }}>
            {' · '}
            {t('{{version}}, started {{started}}, last sign of life {{seen}}', {
              version,
              started: formatTimestamp(startedAtMs, zone),
              seen: formatTimestamp(seenAtMs, zone),
            })}
          </Box>
        </Box>
      ))}
    </Box>
  );
}
