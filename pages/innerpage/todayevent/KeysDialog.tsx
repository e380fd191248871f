import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { Fragment, useId } from 'react';
import { useTranslation } from 'react-i18next';

/** The keys of the page. */
export function KeysDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation(['TodayEvent', 'Common']);
  const titleId = useId();
  const keys: readonly (readonly [string, string])[] = [
    ['J', t('Next event')],
    ['K', t('Previous event')],
    ['Enter', t('Show details')],
    ['A', t('Acknowledge')],
    ['C', t('Close event')],
    ['F', t('Close as false alarm')],
    ['G', t('Assign')],
    ['N', t('Add note')],
    ['V', t('Show video')],
    ['Space', t('Select or deselect')],
    ['Shift + ↑ ↓', t('Extend the selection')],
    ['Ctrl + A', t('Select all')],
    ['Esc', t('Clear the selection, then close the details')],
    ['?', t('Show this list')],
  ];
  return (
    <Dialog open fullWidth maxWidth="xs" onClose={onClose} aria-labelledby={titleId}>
      <DialogTitle id={titleId}>{t('Keyboard shortcuts')}</DialogTitle>
      <DialogContent>
        <Box component="dl" sx={KEYS}>
          {keys.map(([key, text]) => (
            <Fragment key={key}>
              <dt>
                <Box component="kbd" sx={KEY}>
                  {key}
                </Box>
              </dt>
              <Box component="dd" sx={{ m: 0 }}>
                {text}
              </Box>
            </Fragment>
          ))}
        </Box>
      </DialogContent>
      <DialogActions sx={{ px: 3, pb: 2 }}>
        <Button autoFocus onClick={onClose}>
          {t('Close', { ns: 'Common' })}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

const KEYS = {
  m: 0,
  display: 'grid',
  gridTemplateColumns: 'max-content 1fr',
  columnGap: 2,
  rowGap: 0.75,
  alignItems: 'center',
  fontSize: 14,
} as const;
const KEY = {
  display: 'inline-block',
  px: 0.75,
  py: 0.25,
  border: 1,
  borderColor: 'divider',
  borderRadius: 0.75,
  fontFamily: 'inherit',
  fontSize: 13,
} as const;
