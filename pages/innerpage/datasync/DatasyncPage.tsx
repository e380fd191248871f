import { useTranslation } from 'react-i18next';
import { Permission } from '../../../shared/protocol/permissions.ts';
import { Frame } from '../../../shared/ui/frame/Frame.tsx';
import { Datasync } from './Datasync.tsx';

export function DatasyncPage() {
  const { t } = useTranslation('Menu');
  return (
    <Frame title={t('Datasync')} permissions={[Permission.Datasync]} fill>
      {() => <Datasync />}
    </Frame>
  );
}
