import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import type { DeviceDetails } from '../../../../shared/protocol/api/fleet.ts';

/** Why there are less pictures than usual. */
export function PlanNotice({ details }: { readonly details: DeviceDetails }) {
  const { t } = useTranslation('Dashboard');
  const { planVideo = 'all' } = details;
  if (planVideo === 'all') return null;
  return (
    <Typography role="status" sx={{ fontSize: 13, color: 'warning.main' }}>
      {planVideo === 'sub'
        ? t('The data plan is used up. Only sub streams are available.')
        : t('The data plan is used up. There is no live video.')}
    </Typography>
  );
}
