// The content area: the home tiles, the frame of a page, or why there is neither.
import Box from '@mui/material/Box';
import { Suspense } from 'react';
import { pageFlags } from '../../shared/api/pageFlags.ts';
import type { UserStatus } from '../../shared/protocol/api.ts';
import { type MenuPage, mayOpenPage } from '../../shared/protocol/menuPages.ts';
import { ChunkBoundary, lazyPart } from '../../shared/ui/chunks.tsx';
import { PageContainer } from '../../shared/ui/PageContainer.tsx';
import { TopBar } from '../../shared/ui/TopBar.tsx';
import { Waiting } from '../../shared/ui/Waiting.tsx';
import { goToPage } from './address.ts';
import { Notice } from './Notice.tsx';
import { PageFrame } from './PageFrame.tsx';

// A deep link frames its page at once and has no use for the tiles.
const HomeTiles = lazyPart('HomeTiles', async () => (await import('./HomeTiles.tsx')).HomeTiles);

export interface ContentProps {
  /** Undefined when the address names no page. */
  readonly page: MenuPage | undefined;
  readonly query: string;
  /** A new number creates a new frame. */
  readonly visitId: number;
  readonly status: UserStatus;
}

export function Content({ page, query, visitId, status }: ContentProps) {
  const isOpen = page !== undefined && mayOpenPage(status.permission, page);
  if (isOpen && page.src !== '/') return <PageFrame key={visitId} page={page} query={query} />;
  return (
    <Box sx={{ flex: 1, minWidth: 0, display: 'flex', flexDirection: 'column', overflowY: 'auto' }}>
      <TopBar hidden={pageFlags().nontop} />
      <PageContainer>
        {isOpen ? (
          <ChunkBoundary>
            <Suspense fallback={<Waiting />}>
              <HomeTiles permissions={status.permission} onChoose={goToPage} />
            </Suspense>
          </ChunkBoundary>
        ) : (
          <Notice kind={page === undefined ? 'unknown-page' : 'forbidden'} />
        )}
      </PageContainer>
    </Box>
  );
}
