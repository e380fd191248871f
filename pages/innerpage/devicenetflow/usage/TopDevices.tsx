import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { NetflowUse } from '../../../../shared/protocol/api/netflow/netflow.ts';
import { bytesText } from '../../../../shared/ui/files/bytesText.ts';

/** The devices that used the most in the time shown. */
export function TopDevices({ top }: Pick<NetflowUse, 'top'>) {
  const { t } = useTranslation('Netflow');
  const titleId = useId();
  const most = Math.max(1, ...top.map(({ bytes }) => bytes));
  return (
    <Box
      component="section"
      aria-labelledby={titleId}
      sx={{ minWidth: 0, maxHeight: 240, overflow: 'auto' }}
      tabIndex={0}
    >
      <Typography id={titleId} component="h2" sx={{ fontSize: 15, fontWeight: 650, mb: 0.5 }}>
        {t('Highest usage')}
      </Typography>
      <Box component="ol" sx={{ m: 0, p: 0, listStyle: 'none', fontSize: 14 }}>
        {top.map(({ deviceid, name, bytes }) => (
          <Box component="li" key={deviceid} sx={ROW}>
            <Box component="span" aria-hidden="true" sx={{ ...BAR, width: `${(100 * bytes) / most}%` }} />
            <Box component="span" sx={{ position: 'relative', overflowWrap: 'anywhere' }}>
              {name === '' ? deviceid : name}
            </Box>
            <Box component="span" sx={{ position: 'relative', fontVariantNumeric: 'tabular-nums' }}>
              {bytesText(bytes)}
            </Box>
          </Box>
        ))}
      </Box>
    </Box>
  );
}

const ROW = {
  position: 'relative',
  display: 'flex',
  justifyContent: 'space-between',
  gap: 1,
  px: 1,
  lineHeight: '24px',
  borderRadius: 0.5,
  overflow: 'hidden',
} as const;
const BAR = { position: 'absolute', inset: '0 auto 0 0', backgroundColor: 'rgb(47 143 216 / 16%)' } as const;
