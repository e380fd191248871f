import Box from '@mui/material/Box';
import { type SyntheticEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { withPageFlags } from '../../shared/api/pageFlags.ts';
import { MENU_PAGES, type MenuPage } from '../../shared/protocol/menuPages.ts';
import { pageQueryOf } from '../../shared/ui/frame/pageQuery.ts';
import { visuallyHidden } from '../../shared/ui/visuallyHidden.ts';
import { followFrame } from './address.ts';

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
  // Kept as it was: when the frame itself goes on to another page, a changed address here would load that page twice.
  const [src] = useState(() => withPageFlags(query === '' ? page.src : `${page.src}?${query}`));
  return (
    <Box component="main" sx={{ flex: 1, minWidth: 0, height: '100%', position: 'relative' }}>
      <Box component="h1" sx={visuallyHidden}>
        {t(page.name)}
      </Box>
      <Box
        component="iframe"
        src={src}
        title={t(page.name)}
        allow="fullscreen; autoplay; clipboard-write"
        onLoad={follow}
        sx={{ display: 'block', width: '100%', height: '100%', border: 0 }}
      />
    </Box>
  );
}

/** A link inside the frame may lead to another page of the menu. */
function follow(event: SyntheticEvent<HTMLIFrameElement>): void {
  const address = frameAddress(event.currentTarget);
  const page = MENU_PAGES.find(({ src }) => src === address?.pathname);
  if (page !== undefined && address !== undefined) followFrame(page, pageQueryOf(address.search));
}

function frameAddress(frame: HTMLIFrameElement): Pick<Location, 'pathname' | 'search'> | undefined {
  try {
    const { pathname = '', search = '' } = frame.contentWindow?.location ?? {};
    return { pathname, search };
  } catch {
    return undefined; // the frame left this site
  }
}
