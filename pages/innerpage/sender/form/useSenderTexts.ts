import { useTranslation } from 'react-i18next';
import type { SenderKind } from '../../../../shared/protocol/notify/notifyWords.ts';
import type { SenderTexts } from './senderCheck.ts';
import type { SenderDraft, SenderWarning } from './senderForm.ts';

/** What to do about a field that is not as it must be. */
export function useSenderTexts(): SenderTexts {
  const { t } = useTranslation('Sender');
  return {
    name: t('Enter a name.'),
    perMinute: t('Enter a whole number from 1 to 10,000, or leave it empty.'),
    host: t('Enter a host name or an IP address.'),
    port: t('Enter a port from 1 to 65,535.'),
    fromAddress: t('Enter an email address, such as name@example.com.'),
    url: t('Enter a web address, such as {{text}}.', { text: 'https://example.com/notify' }),
    headers: t('Enter a name of letters, digits and hyphens for each header, and at most 10 headers.'),
    body: t('Use at most 4,000 characters.'),
    appName: t('Use 1 to 48 letters, digits or hyphens.'),
    contact: t('Enter an address, such as {{text}}.', { text: 'mailto:admin@example.com' }),
  };
}

/** Labels of the fields, in the form and wherever a field is spoken of. */
export function useFieldLabels(kind: SenderKind): Readonly<Record<keyof SenderDraft, string>> {
  const { t } = useTranslation('Sender');
  return {
    name: t('Name'),
    kind: t('Kind'),
    enabled: t('Enabled'),
    perMinute: t('Messages per minute'),
    host: t('Host'),
    port: t('Port'),
    security: t('Encryption'),
    username: t('Username'),
    fromAddress: t('Sender address'),
    fromName: t('Sender name'),
    url: t('URL'),
    headers: t('Headers'),
    method: t('Method'),
    body: t('Body'),
    transport: t('Encryption'),
    facility: t('Facility'),
    appName: t('Application name'),
    contact: t('Contact'),
    secret: kind === 'email' ? t('Password') : kind === 'webhook' ? t('Signing secret') : t('API key'),
    removesSecret: t('Delete the stored secret'),
  };
}

export function useWarningText(): (warning: SenderWarning) => string {
  const { t } = useTranslation('Sender');
  return (warning) => {
    switch (warning) {
      case 'open-mail':
        return t('Without encryption, others on the network can read messages and the password.');
      case 'open-syslog':
        return t('Without encryption, others on the network can read messages.');
      case 'open-web':
        return t('Without HTTPS, others on the network can read messages and secrets.');
    }
  };
}
