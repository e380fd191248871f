import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import { visuallyHidden } from '../../../shared/ui/visuallyHidden.ts';
import type { NewTally } from './model/newTally.ts';

/** Says to screen readers what others see and hear: that there are new events. */
export function NewEventsStatus({ count, critical }: NewTally) {
  const { t } = useTranslation('TodayEvent');
  const number = count.toLocaleString('en');
  const text =
    critical === 0
      ? t('New events: {{number}}', { number })
      : t('New events: {{number}}, critical: {{critical}}', { number, critical });
  return (
    <Box role="status" sx={visuallyHidden}>
      {count === 0 ? '' : text}
    </Box>
  );
}
