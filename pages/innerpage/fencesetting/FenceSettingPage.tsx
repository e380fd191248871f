import { useTranslation } from 'react-i18next';
import { Permission } from '../../../shared/protocol/permissions.ts';
import { Frame } from '../../../shared/ui/frame/Frame.tsx';
import { FenceSetting } from './FenceSetting.tsx';

export function FenceSettingPage() {
  const { t } = useTranslation('Menu');
  return (
    <Frame title={t('Fence')} permissions={[Permission.System, Permission.Fence]} fill>
      {() => <FenceSetting />}
    </Frame>
  );
}
