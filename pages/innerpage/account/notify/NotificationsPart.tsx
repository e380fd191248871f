import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import { getOwnNotify } from '../../../../shared/api/notify/ownNotify.ts';
import { errorText } from '../../../../shared/i18n/errorText.ts';
import { useRecord } from '../../../../shared/ui/records/useRecord.ts';
import { Waiting } from '../../../../shared/ui/Waiting.tsx';
import { BrowsersPart } from '../push/BrowsersPart.tsx';
import type { PushPlatform } from '../push/pushPlatform.ts';
import { NotifyForm } from './NotifyForm.tsx';

/** How the user is notified of events. */
export function NotificationsPart({ platform }: { readonly platform?: PushPlatform }) {
  const { value, failure, reload } = useRecord({ key: ['own-notify'], load: getOwnNotify });
  if (value === undefined) {
    return failure === undefined ? <Waiting /> : <Alert severity="error">{errorText(failure)}</Alert>;
  }
  return (
    <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <NotifyForm own={value} onSaved={reload} />
      <BrowsersPart own={value} onChanged={reload} {...(platform === undefined ? {} : { platform })} />
    </Box>
  );
}
