import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { useTranslation } from 'react-i18next';
import { type MenuPage, mayOpenPage, pageAtAddress } from '../../../shared/protocol/menuPages.ts';
import { goToPage } from '../address.ts';
import { pageLink } from '../pageLink.ts';
import type { ShownLicense } from './useLicenseNotice.ts';

const VERSION = pageAtAddress('/version');
const QUERY = 'tab=settings';

export interface LicenseBarProps extends ShownLicense {
  readonly permissions: readonly string[];
}

/** Above whatever page is open. */
export function LicenseBar({ notice, day, onClose, permissions }: LicenseBarProps) {
  const { t } = useTranslation(['Shell', 'Common']);
  const text =
    notice.kind === 'expired'
      ? t('The license has expired. Everything goes on working. Renew the license.')
      : t('The license expires on {{day}}.', { day });
  return (
    <Alert
      role="status"
      square
      severity={notice.kind === 'expired' ? 'error' : 'warning'}
      onClose={onClose}
      closeText={t('Close', { ns: 'Common' })}
      // The shell's round button floats over the corner of a narrow window.
      sx={{ pl: { xs: 9, md: 2 }, alignItems: 'center', flexShrink: 0 }}
    >
      {text} {VERSION !== undefined && mayOpenPage(permissions, VERSION) && <VersionLink page={VERSION} />}
    </Alert>
  );
}

function VersionLink({ page }: { readonly page: MenuPage }) {
  const { t } = useTranslation('Menu');
  return (
    <Button size="small" color="inherit" sx={{ py: 0 }} {...pageLink(page, (chosen) => goToPage(chosen, QUERY), QUERY)}>
      {t('Version')}
    </Button>
  );
}
