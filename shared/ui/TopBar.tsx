import Box from '@mui/material/Box';
import { useEffect } from 'react';
import { Brand } from './Brand.tsx';
import { startDismissCleanup } from './dismissCleanup.ts';
import { useShellButton } from './frame/shellWindow.ts';
import { LanguageSelect } from './LanguageSelect.tsx';
import { SearchInput, type SearchProps } from './SearchInput.tsx';
import { BESIDE_SHELL_BUTTON } from './theme.ts';

export interface TopBarProps {
  /** Without it the bar has no search field. */
  readonly search?: SearchProps | undefined;
  readonly hidden?: boolean | undefined;
}

/** Brand, optional search and language. The cleanup of dismissed containers runs with it, hidden or not. */
export function TopBar({ search, hidden = false }: TopBarProps) {
  useEffect(() => startDismissCleanup(document), []);
  // Its left is kept free for the shell's floating button, where there is one.
  const belowShellButton = useShellButton();
  useEffect(() => {
    // For what is drawn outside of the page's own tree, such as dialogs.
    document.documentElement.toggleAttribute('data-shell-button', belowShellButton);
  }, [belowShellButton]);
  if (hidden) return null;
  return (
    <Box component="header" sx={{ ...BAR, pl: belowShellButton ? BESIDE_SHELL_BUTTON : 2 }}>
      <Brand />
      <Box sx={{ display: 'flex', gap: 1, ml: 'auto', maxWidth: '100%', justifyContent: 'flex-end' }}>
        {search !== undefined && <SearchInput {...search} />}
        <LanguageSelect />
      </Box>
    </Box>
  );
}

const BAR = {
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: 1,
  minHeight: 56,
  flexShrink: 0,
  pr: 2,
  py: 1,
  backgroundColor: 'background.paper',
  borderBottom: 1,
  borderColor: 'divider',
} as const;
