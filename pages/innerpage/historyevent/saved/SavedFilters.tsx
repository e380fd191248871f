import BookmarkIcon from '@mui/icons-material/BookmarkBorder';
import DeleteIcon from '@mui/icons-material/DeleteOutlined';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import Popover from '@mui/material/Popover';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { listEventFilters, removeEventFilter } from '../../../../shared/api/events.ts';
import { errorText } from '../../../../shared/i18n/errorText.ts';
import type { SavedEventFilter, SavedFilterQuery } from '../../../../shared/protocol/api/events.ts';
import { ConfirmDialog } from '../../../../shared/ui/ConfirmDialog.tsx';
import { notify } from '../../../../shared/ui/notifications.tsx';
import { useRecord } from '../../../../shared/ui/records/useRecord.ts';
import { SaveFilterDialog } from './SaveFilterDialog.tsx';

export interface SavedFiltersProps {
  /** What is saved under a name. */
  readonly query: SavedFilterQuery;
  readonly onApply: (query: SavedFilterQuery) => void;
}

type Open =
  | { readonly kind: 'list'; readonly anchor: HTMLElement }
  | { readonly kind: 'save' }
  | { readonly kind: 'remove'; readonly saved: SavedEventFilter };

/** The user's own filters: applies, adds and deletes them. */
export function SavedFilters({ query, onApply }: SavedFiltersProps) {
  const { t } = useTranslation('HistoryEvent');
  const [open, setOpen] = useState<Open>();
  const { value = [], failure, reload } = useRecord({ key: ['event-filters'], load: listEventFilters });
  const close = () => setOpen(undefined);
  const finish = (text: string) => {
    notify('success', text);
    reload();
    close();
  };
  const text = failure && errorText(failure);
  return (
    <>
      <Button
        size="small"
        startIcon={<BookmarkIcon />}
        aria-haspopup="dialog"
        onClick={(event) => setOpen({ kind: 'list', anchor: event.currentTarget })}
      >
        {t('Saved filters')}
      </Button>
      {open?.kind === 'list' && (
        <Popover
          open
          anchorEl={open.anchor}
          onClose={close}
          anchorOrigin={{ vertical: 'bottom', horizontal: 'left' }}
          slotProps={{ paper: { role: 'dialog', 'aria-label': t('Saved filters') } }}
        >
          <Box sx={LIST}>
            {text !== undefined && <Alert severity="warning">{text}</Alert>}
            {failure === undefined && value.length === 0 && <Box sx={HINT}>{t('No saved filters yet.')}</Box>}
            <Box component="ul" sx={{ listStyle: 'none', m: 0, p: 0 }}>
              {value.map((saved) => (
                <SavedRow
                  key={saved.id}
                  saved={saved}
                  onApply={() => {
                    close();
                    onApply(saved.query);
                  }}
                  onRemove={() => setOpen({ kind: 'remove', saved })}
                />
              ))}
            </Box>
            <Button size="small" onClick={() => setOpen({ kind: 'save' })}>
              {t('Save current filters')}
            </Button>
          </Box>
        </Popover>
      )}
      {open?.kind === 'save' && (
        <SaveFilterDialog
          query={query}
          names={value.map(({ name }) => name)}
          onSaved={() => finish(t('Filter saved.'))}
          onClose={close}
        />
      )}
      {open?.kind === 'remove' && (
        <ConfirmDialog
          title={t('Delete {{name}}?', { name: open.saved.name })}
          text={t("The events aren't affected. This can't be undone.")}
          action={t('Delete')}
          danger
          onConfirm={() => removeEventFilter(open.saved.id)}
          onDone={() => finish(t('Filter deleted.'))}
          onClose={close}
        />
      )}
    </>
  );
}

interface SavedRowProps {
  readonly saved: SavedEventFilter;
  readonly onApply: () => void;
  readonly onRemove: () => void;
}

function SavedRow({ saved, onApply, onRemove }: SavedRowProps) {
  const { t } = useTranslation('HistoryEvent');
  return (
    <Box component="li" sx={{ display: 'flex', alignItems: 'center' }}>
      <Button color="inherit" onClick={onApply} sx={NAME}>
        {saved.name}
      </Button>
      <IconButton size="small" aria-label={t('Delete {{name}}', { name: saved.name })} onClick={onRemove}>
        <DeleteIcon fontSize="small" />
      </IconButton>
    </Box>
  );
}

const LIST = {
  display: 'grid',
  gap: 0.5,
  p: 1,
  width: 300,
  maxWidth: '100%',
  maxHeight: 400,
  overflowY: 'auto',
} as const;
const HINT = { px: 1, py: 0.5, fontSize: 14, color: 'text.secondary' } as const;
const NAME = {
  flex: 1,
  minWidth: 0,
  justifyContent: 'flex-start',
  textAlign: 'left',
  textTransform: 'none',
  overflowWrap: 'anywhere',
} as const;
