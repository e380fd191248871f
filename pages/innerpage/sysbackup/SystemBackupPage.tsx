import { useTranslation } from 'react-i18next';
import { Permission } from '../../../shared/protocol/permissions.ts';
import { Frame } from '../../../shared/ui/frame/Frame.tsx';
import { SystemBackup } from './SystemBackup.tsx';

export function SystemBackupPage() {
  const { t } = useTranslation('Menu');
  return (
    <Frame title={t('System Backup')} permissions={[Permission.System, Permission.SystemBackup]}>
      {() => <SystemBackup />}
    </Frame>
  );
}
