import { useTranslation } from 'react-i18next';
import { Permission } from '../../../shared/protocol/permissions.ts';
import { Frame } from '../../../shared/ui/frame/Frame.tsx';
import { Senders } from './Senders.tsx';

/** What carries messages, set up and tried. */
export function SenderPage() {
  const { t } = useTranslation('Menu');
  return (
    <Frame title={t('Sender Setting')} permissions={[Permission.System, Permission.Sender]} fill>
      {() => <Senders />}
    </Frame>
  );
}
