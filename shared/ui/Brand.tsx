import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { useServerInfo } from './serverInfo.ts';
import { titleOf } from './title.ts';

const LOGO_SRC = '/logo.svg';
const LOGO_PX = 28;

/** The logo and the installation's title. */
export function Brand() {
  const { t } = useTranslation('TopBar');
  const { info } = useServerInfo();
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 1.25, flex: '1 1 120px', minWidth: 0 }}>
      <img src={LOGO_SRC} alt={t('Logo')} width={LOGO_PX} height={LOGO_PX} />
      <Typography component="span" noWrap sx={{ fontSize: 16, fontWeight: 650, letterSpacing: 0.1 }}>
        {titleOf(info)}
      </Typography>
    </Box>
  );
}
