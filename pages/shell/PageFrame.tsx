import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import CircularProgress from '@mui/material/CircularProgress';
import { type SyntheticEvent, useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { withPageFlags } from '../../shared/api/pageFlags.ts';
import { MENU_PAGES, type MenuPage } from '../../shared/protocol/menuPages.ts';
import { pageQueryOf } from '../../shared/ui/frame/pageQuery.ts';
import { BESIDE_SHELL_BUTTON } from '../../shared/ui/theme.ts';
import { visuallyHidden } from '../../shared/ui/visuallyHidden.ts';
import { followFrame } from './address.ts';
import { useFrameReturn } from './useFrameReturn.ts';

export interface PageFrameProps {
  readonly page: MenuPage;
  /** What the page shows at first. */
  readonly query: string;
}

/**
 * A page in its frame, as large as the window leaves room. The caller gives it a key per visit: a new frame element
 * adds no history entry of its own, so Back goes from page to page and not from frame to frame.
 */
export function PageFrame({ page, query }: PageFrameProps) {
  const { t } = useTranslation('Menu');
  // Kept unchanged: when the frame itself goes to another page, a changed address here would load that page twice.
  const [src] = useState(() => withPageFlags(query === '' ? page.src : `${page.src}?${query}`));
  const [isAway, setAway] = useState(false);
  const [attempt, setAttempt] = useState(0);
  const loadAgain = useCallback(() => setAttempt((before) => before + 1), []);
  useFrameReturn(isAway, src, attempt, loadAgain);
  const onLoad = (event: SyntheticEvent<HTMLIFrameElement>) => {
    const address = frameAddress(event.currentTarget);
    setAway(address === undefined);
    if (address !== undefined) follow(address);
  };
  return (
    <Box component="main" sx={{ flex: 1, minWidth: 0, height: '100%', position: 'relative' }}>
      <Box component="h1" sx={visuallyHidden}>
        {t(page.name)}
      </Box>
      <Box
        component="iframe"
        key={attempt}
        src={src}
        title={t(page.name)}
        allow="fullscreen; autoplay; clipboard-write"
        onLoad={onLoad}
        sx={{ display: 'block', width: '100%', height: '100%', border: 0, visibility: isAway ? 'hidden' : 'inherit' }}
      />
      {isAway && <ServerAway />}
    </Box>
  );
}

function ServerAway() {
  const { t } = useTranslation('Shell');
  return (
    <Box sx={{ position: 'absolute', inset: 0, p: 2, pl: { xs: BESIDE_SHELL_BUTTON, md: 2 } }}>
      <Alert severity="warning" icon={<CircularProgress size={20} color="inherit" aria-hidden="true" />}>
        {t("Can't reach the server. The page loads as soon as the server answers.")}
      </Alert>
    </Box>
  );
}

/** A link inside the frame may lead to another page of the menu. */
function follow(address: FrameAddress): void {
  const page = MENU_PAGES.find(({ src }) => src === address.pathname);
  if (page !== undefined) followFrame(page, pageQueryOf(address.search));
}

type FrameAddress = Pick<Location, 'pathname' | 'search'>;

/** Undefined: the frame shows the browser's own error page, which no script can look into, or has left this site. */
function frameAddress(frame: HTMLIFrameElement): FrameAddress | undefined {
  try {
    const { pathname = '', search = '' } = frame.contentWindow?.location ?? {};
    return { pathname, search };
  } catch {
    return undefined;
  }
}
