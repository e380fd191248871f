import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import { getNetflowUse } from '../../../../shared/api/netflow.ts';
import { formatDay, startOfDay } from '../../../../shared/time/format.ts';
import { useUserZone } from '../../../../shared/time/userZone.ts';
import { bytesText } from '../../../../shared/ui/files/bytesText.ts';
import { useRecord } from '../../../../shared/ui/records/useRecord.ts';

const DAY_MS = 86_400_000;
/** Usage is written each minute. */
const RELOAD_MS = 60_000;

/** What the device has used since the user's midnight. For members with `netflow`. */
export function UsedToday({ deviceId }: { readonly deviceId: string }) {
  const { t } = useTranslation('Dashboard');
  const timeZone = useUserZone();
  const { value } = useRecord({
    key: ['used-today', deviceId, timeZone],
    load: (signal) => {
      const nowMs = Date.now();
      const fromMs = startOfDay(formatDay(nowMs, timeZone), timeZone) ?? nowMs;
      const span = { fromMs, toMs: fromMs + DAY_MS, step: 'hour', timeZone } as const;
      return getNetflowUse({ ...span, deviceid: deviceId }, signal);
    },
    everyMs: RELOAD_MS,
  });
  const bytes = value?.steps.flatMap(({ kinds }) => kinds).reduce((sum, each) => sum + each, 0);
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
