import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { HOME_PAGE } from '../../shared/protocol/menuPages.ts';
import { goToPage } from './address.ts';
import { pageLink } from './pageLink.ts';

export interface NoticeProps {
  readonly kind: 'unknown-page' | 'forbidden';
}

/** Why the content area has no page to show, and the way home. */
export function Notice({ kind }: NoticeProps) {
  const { t } = useTranslation('Shell');
  return (
    <Alert
      severity={kind === 'forbidden' ? 'warning' : 'info'}
      variant="outlined"
      action={
        <Button size="small" color="inherit" component="a" {...pageLink(HOME_PAGE, goToPage)}>
          {t('Go to home page')}
        </Button>
      }
    >
      <Typography component="h1" variant="body1">
        {kind === 'forbidden'
          ? t("You don't have permission for this page. Ask your administrator for it.")
          : t('Page not found. Check the address.')}
      </Typography>
    </Alert>
  );
}
