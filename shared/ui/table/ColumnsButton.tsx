import ViewColumn from '@mui/icons-material/ViewColumnOutlined';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';

export interface ColumnsButtonProps {
  readonly columns: readonly { readonly name: string; readonly title: string; readonly isShown: boolean }[];
  readonly onChange: (name: string, isShown: boolean) => void;
}

/** Which columns are shown. The last one stays. */
export function ColumnsButton({ columns, onChange }: ColumnsButtonProps) {
  const { t } = useTranslation('Table');
  const [anchor, setAnchor] = useState<HTMLElement>();
  const id = useId();
  const shownCount = columns.filter(({ isShown }) => isShown).length;
  return (
    <>
      <Button
        size="small"
        startIcon={<ViewColumn />}
        aria-haspopup="menu"
        aria-expanded={anchor !== undefined}
        aria-controls={anchor === undefined ? undefined : id}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        {t('Columns')}
      </Button>
      <Menu id={id} open={anchor !== undefined} anchorEl={anchor ?? null} onClose={() => setAnchor(undefined)}>
        {columns.map(({ name, title, isShown }) => (
          <MenuItem
            key={name}
            dense
            role="menuitemcheckbox"
            aria-checked={isShown}
            disabled={isShown && shownCount === 1}
            onClick={() => onChange(name, !isShown)}
            sx={{ gap: 1, pl: 1 }}
          >
            <Checkbox size="small" checked={isShown} tabIndex={-1} disableRipple sx={{ p: 0.5 }} aria-hidden="true" />
            {title}
          </MenuItem>
        ))}
      </Menu>
    </>
  );
}
