import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import { getUsedToday, USED_TODAY_EVERY_MS } from '../../../../shared/api/netflow/usedToday.ts';
import { useUserZone } from '../../../../shared/time/userZone.ts';
import { bytesText } from '../../../../shared/ui/files/bytesText.ts';
import { useRecord } from '../../../../shared/ui/records/useRecord.ts';

/** What the device has used since the user's midnight. For members with `netflow`. */
export function UsedToday({ deviceId }: { readonly deviceId: string }) {
  const { t } = useTranslation('Dashboard');
  const timeZone = useUserZone();
  const { value: bytes } = useRecord({
    key: ['used-today', deviceId, timeZone],
    load: (signal) => getUsedToday({ deviceId, timeZone, nowMs: Date.now() }, signal),
    everyMs: USED_TODAY_EVERY_MS,
  });
  return (
    <>
      <Box component="dt" sx={{ color: 'text.secondary' }}>
        {t('Data used today')}
      </Box>
      <Box component="dd" sx={{ m: 0 }}>
        {bytes === undefined ? '–' : bytesText(bytes) || '0 B'}
      </Box>
    </>
  );
}
