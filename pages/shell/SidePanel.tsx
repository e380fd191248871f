// A panel over the left of the window, opened by a floating round button: for what has no room beside the content.
import CloseIcon from '@mui/icons-material/Close';
import MenuIcon from '@mui/icons-material/Menu';
import Box from '@mui/material/Box';
import Drawer from '@mui/material/Drawer';
import IconButton from '@mui/material/IconButton';
import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';

const PANEL_WIDTH_PX = 300;
const BUTTON_PX = 44;

export interface SidePanelProps {
  /** Where the panel was opened for; another value closes it. */
  readonly source: unknown;
  /** Name of the panel and of its button. */
  readonly label: string;
  readonly children: ReactNode;
}

export function SidePanel({ source, label, children }: SidePanelProps) {
  const { t } = useTranslation('Common');
  const [isOpen, setOpen] = useState(false);
  const [openedFor, setOpenedFor] = useState(source);
  const id = useId();
  if (source !== openedFor) {
    setOpenedFor(source);
    setOpen(false);
  }
  const close = () => setOpen(false);
  const control = { 'aria-expanded': isOpen, 'aria-controls': isOpen ? id : undefined };
  return (
    <>
      <IconButton aria-label={label} {...control} onClick={() => setOpen(true)} sx={FLOATING}>
        <MenuIcon aria-hidden="true" />
      </IconButton>
      <Drawer open={isOpen} onClose={close} slotProps={{ paper: { id, 'aria-label': label, sx: PANEL } }}>
        <Box sx={{ display: 'flex', justifyContent: 'flex-end', p: 0.5, pb: 0 }}>
          <IconButton aria-label={t('Close')} {...control} onClick={close} size="small">
            <CloseIcon aria-hidden="true" />
          </IconButton>
        </Box>
        <Box sx={{ flex: 1, minHeight: 0 }}>{children}</Box>
      </Drawer>
    </>
  );
}

const PANEL = { width: PANEL_WIDTH_PX } as const;

const FLOATING = {
  position: 'fixed',
  top: 6,
  left: 10,
  zIndex: 'speedDial',
  width: BUTTON_PX,
  height: BUTTON_PX,
  border: 1,
  borderColor: 'divider',
  color: 'text.primary',
  backgroundColor: 'background.paper',
  boxShadow: '0 1px 4px rgb(0 0 0 / 25%)',
  '&:hover': { backgroundColor: 'background.default' },
} as const;
