import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { useTranslation } from 'react-i18next';
import { Permission } from '../../../shared/protocol/permissions.ts';
import { innerPageLink } from '../../../shared/ui/frame/innerPageLink.ts';
import { usePermission } from '../../../shared/ui/session.ts';

/** A rule needs a sender. Who may add one is shown the way there. */
export function NoSenderNotice() {
  const { t } = useTranslation(['NotifyConfig', 'Menu']);
  const mayAdd = usePermission(Permission.Sender);
  if (!mayAdd) return <Alert severity="info">{t('No senders yet. Ask your administrator to add one.')}</Alert>;
  return (
    <Alert
      severity="info"
      action={
        <Button color="inherit" size="small" component="a" {...innerPageLink({ src: '/innerpage/sender.html' }, '')}>
          {t('Sender Setting', { ns: 'Menu' })}
        </Button>
      }
    >
      {t('No senders yet. Add one under Sender Setting.')}
    </Alert>
  );
}
