import { useTranslation } from 'react-i18next';
import { Frame } from '../../../shared/ui/frame/Frame.tsx';

/** Figures, map and list of the devices of the current group. */
export function DashboardPage() {
  const { t } = useTranslation('Menu');
  return <Frame title={t('Dashboard')}>{() => null}</Frame>;
}
