import Box from '@mui/material/Box';
import type { MouseEvent } from 'react';
import { useTranslation } from 'react-i18next';

export interface SkipLinkProps {
  readonly contentId: string;
}

/** The first stop of the Tab key: past the menu and into the page. Seen only while it has the focus. */
export function SkipLink({ contentId }: SkipLinkProps) {
  const { t } = useTranslation('Shell');
  const skip = (event: MouseEvent) => {
    // The address names the page and what it shows; it gets no fragment.
    event.preventDefault();
    const content = document.getElementById(contentId);
    // In a frame, keyboard focus continues from its first stop.
    (content?.querySelector('iframe') ?? content)?.focus();
  };
  return (
    <Box component="a" href={`#${contentId}`} onClick={skip} sx={LINK}>
      {t('Skip to content')}
    </Box>
  );
}

const LINK = {
  position: 'fixed',
  zIndex: 'tooltip',
  top: 8,
  left: 8,
  px: 2,
  py: 1,
  borderRadius: 1,
  fontSize: 14,
  fontWeight: 600,
  color: 'primary.contrastText',
  backgroundColor: 'primary.main',
  '&:not(:focus)': { clipPath: 'inset(50%)', width: 1, height: 1, p: 0, overflow: 'hidden', whiteSpace: 'nowrap' },
} as const;
