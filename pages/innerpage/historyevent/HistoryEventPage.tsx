import { useTranslation } from 'react-i18next';
import { Permission } from '../../../shared/protocol/permissions.ts';
import { Frame } from '../../../shared/ui/frame/Frame.tsx';
import { HistoryEvents } from './HistoryEvents.tsx';

export function HistoryEventPage() {
  const { t } = useTranslation('Menu');
  return (
    <Frame title={t('History Event')} titleHidden permissions={[Permission.Event]} fill>
      {() => <HistoryEvents />}
    </Frame>
  );
}
