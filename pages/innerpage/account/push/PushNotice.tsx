import Alert from '@mui/material/Alert';
import { useTranslation } from 'react-i18next';
import type { Allowed, PushState } from './browserPush.ts';

/** Why this browser shows no notifications, or that it does. */
export function PushNotice({ state }: { readonly state: PushState }) {
  const { t } = useTranslation('Account');
  switch (state) {
    case 'insecure':
      return (
        <Alert severity="info">
          {t('Browser notifications need HTTPS. Ask your administrator for a secure address.')}
        </Alert>
      );
    case 'unsupported':
      return (
        <Alert severity="info">
          {t(
            "This browser doesn't support notifications. On an iPhone or iPad, add this site to the home screen first.",
          )}
        </Alert>
      );
    case 'no-sender':
      return (
        <Alert severity="info">
          {t('Browser notifications are off. Your administrator can set up a push sender.')}
        </Alert>
      );
    case 'denied':
      return (
        <Alert severity="warning">
          {t('This browser blocks notifications for this site. Allow them in the browser settings, then reload.')}
        </Alert>
      );
    case 'allowed':
      return <Alert severity="success">{t('This browser shows notifications.')}</Alert>;
    case 'available':
      return null;
  }
}

export function useAllowedText(): (kind: Exclude<Allowed['kind'], 'refused'>) => string {
  const { t } = useTranslation('Account');
  return (kind) => {
    switch (kind) {
      case 'allowed':
        return t('Notifications are allowed in this browser.');
      case 'denied':
        return t('The browser blocked notifications.');
      case 'dismissed':
        return t('Notifications are still off. Try again and allow them when the browser asks.');
      case 'unreachable':
        return t("The browser's push service can't be reached. Check your network and try again.");
    }
  };
}
