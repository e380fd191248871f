import { useTranslation } from 'react-i18next';
import { Permission } from '../../../shared/protocol/permissions.ts';
import { Frame } from '../../../shared/ui/frame/Frame.tsx';
import { Version } from './Version.tsx';

export function VersionPage() {
  const { t } = useTranslation('Menu');
  return (
    <Frame title={t('Version')} permissions={[Permission.System, Permission.Version]} fill>
      {() => <Version />}
    </Frame>
  );
}
