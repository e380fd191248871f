import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import type { MenuPage } from '../../shared/protocol/menuPages.ts';
import { visuallyHidden } from '../../shared/ui/visuallyHidden.ts';
import { useCountOf } from './criticalCount.ts';

const MOST_SHOWN = 99;

/** What waits on a page, beside its name. */
export function PageCount({ page }: { readonly page: MenuPage }) {
  const { t } = useTranslation('Shell');
  const count = useCountOf(page);
  if (count === 0) return null;
  return (
    <>
      <Box component="span" aria-hidden="true" data-count={count} sx={BADGE}>
        {count > MOST_SHOWN ? `${MOST_SHOWN}+` : count}
      </Box>
      <Box component="span" sx={visuallyHidden}>
        {count === 1
          ? t('1 unacknowledged critical event')
          : t('{{number}} unacknowledged critical events', { number: count })}
      </Box>
    </>
  );
}

const BADGE = {
  display: 'inline-block',
  minWidth: 22,
  px: 0.75,
  borderRadius: 11,
  fontSize: 12,
  fontWeight: 700,
  lineHeight: '22px',
  textAlign: 'center',
  fontVariantNumeric: 'tabular-nums',
  // White on it has more than 4.5:1, on the tiles, too.
  color: '#ffffff',
  backgroundColor: '#b3261e',
} as const;
