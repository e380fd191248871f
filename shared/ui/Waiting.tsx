import Box from '@mui/material/Box';
import CircularProgress from '@mui/material/CircularProgress';
import { useTranslation } from 'react-i18next';

export function Waiting() {
  const { t } = useTranslation('Common');
  return (
    <Box sx={{ display: 'grid', placeItems: 'center', height: '100%', minHeight: 160 }}>
      <CircularProgress size={32} aria-label={t('Loading')} />
    </Box>
  );
}
