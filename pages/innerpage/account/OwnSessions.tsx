import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Chip from '@mui/material/Chip';
import { useTranslation } from 'react-i18next';
import { endOtherSessions, endOwnSession, getOwnSessions } from '../../../shared/api/accounts/account.ts';
import type { ApiResult } from '../../../shared/api/client.ts';
import { errorText } from '../../../shared/i18n/errorText.ts';
import type { ListedSession } from '../../../shared/protocol/api/accounts.ts';
import { formatTimestamp } from '../../../shared/time/format.ts';
import { useUserZone } from '../../../shared/time/userZone.ts';
import { browserName } from '../../../shared/ui/browserName.ts';
import { notify } from '../../../shared/ui/notifications.tsx';
import { useRecord } from '../../../shared/ui/records/useRecord.ts';
import { Waiting } from '../../../shared/ui/Waiting.tsx';

export function OwnSessions() {
  const { t } = useTranslation('Account');
  const { value, failure, reload } = useRecord({ key: ['own-sessions'], load: getOwnSessions });
  const after = async (ended: Promise<ApiResult<unknown>>) => {
    const result = await ended;
    if (result.ok) notify('success', t('Session ended.'));
    else notify('error', errorText(result) ?? '');
    reload();
  };
  if (value === undefined) {
    return failure === undefined ? <Waiting /> : <Alert severity="error">{errorText(failure)}</Alert>;
  }
  return (
    <Box sx={{ display: 'grid', gap: 1.5 }}>
      <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }}>
        {value.map((session) => (
          <SessionRow key={session.id} session={session} onEnd={() => void after(endOwnSession(session.id))} />
        ))}
      </Box>
      {value.length > 1 && (
        <Button color="error" sx={{ justifySelf: 'end' }} onClick={() => void after(endOtherSessions())}>
          {t('Sign out elsewhere')}
        </Button>
      )}
    </Box>
  );
}

function SessionRow({ session, onEnd }: { readonly session: ListedSession; readonly onEnd: () => void }) {
  const { t } = useTranslation('Account');
  const zone = useUserZone();
  const { address, userAgent, isCurrent } = session;
  const browser = browserName(userAgent) ?? t('Unknown browser');
  return (
    <Box component="li" sx={ROW}>
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Box sx={{ fontWeight: 600 }}>{t('{{browser}} at {{address}}', { browser, address })}</Box>
        <Box sx={{ fontSize: 13, color: 'text.secondary' }}>
          {t('Signed in {{at}}, last active {{seen}}', {
            at: formatTimestamp(session.createdAtMs, zone),
            seen: formatTimestamp(session.lastSeenAtMs, zone),
          })}
        </Box>
      </Box>
      {session.wallMonitor && <Chip size="small" variant="outlined" label={t('Wall display')} />}
      {isCurrent ? (
        <Chip size="small" color="success" variant="outlined" label={t('This browser')} />
      ) : (
        <Button
          size="small"
          aria-label={t('End session: {{browser}} at {{address}}', { browser, address })}
          onClick={onEnd}
        >
          {t('End')}
        </Button>
      )}
    </Box>
  );
}

const ROW = {
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: 1,
  py: 1,
  borderBottom: 1,
  borderColor: 'divider',
  '&:last-child': { borderBottom: 0 },
} as const;
