import { useTranslation } from 'react-i18next';
import { Permission } from '../../../shared/protocol/permissions.ts';
import { Frame } from '../../../shared/ui/frame/Frame.tsx';
import { Templates } from './Templates.tsx';

/** How messages are worded. */
export function TemplatePage() {
  const { t } = useTranslation('Menu');
  return (
    <Frame title={t('Template Setting')} permissions={[Permission.System, Permission.Template]} fill>
      {() => <Templates />}
    </Frame>
  );
}
