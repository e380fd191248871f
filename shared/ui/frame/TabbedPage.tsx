import Box from '@mui/material/Box';
import type { ReactNode } from 'react';
import { LazyContent } from './LazyContent.tsx';
import { PageTabs, type PageTabsProps, pageTabPanel } from './PageTabs.tsx';

export interface TabbedPageProps<Name extends string> extends PageTabsProps<Name> {
  /** Content of the selected tab. */
  readonly children: ReactNode;
}

/** A page that is nothing but tabs. */
export function TabbedPage<Name extends string>({ children, ...tabs }: TabbedPageProps<Name>) {
  const { tab } = tabs;
  return (
    <>
      <PageTabs {...tabs} />
      {/* With the key, a part that did not load is missing only on its own tab. */}
      <Box key={tab} {...pageTabPanel(tab)} sx={PANEL}>
        <LazyContent>{children}</LazyContent>
      </Box>
    </>
  );
}

const PANEL = { display: 'flex', flexDirection: 'column', flex: 1, minHeight: 0, minWidth: 0, gap: 1.25 } as const;
