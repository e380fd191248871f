import { useTranslation } from 'react-i18next';
import { Permission } from '../../../shared/protocol/permissions.ts';
import { Frame } from '../../../shared/ui/frame/Frame.tsx';
import { Reports } from './Reports.tsx';

export function ReportPage() {
  const { t } = useTranslation('Menu');
  return (
    <Frame title={t('Report')} permissions={[Permission.Report]} fill>
      {() => <Reports />}
    </Frame>
  );
}
