// What every page has that the shell frames: top bar, title, session, faults, and the page's own content.
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { pageFlags } from '../../api/pageFlags.ts';
import type { UserStatus } from '../../protocol/api.ts';
import { UserZoneContext } from '../../time/userZone.ts';
import { zoneOrBrowser } from '../../time/zones.ts';
import { LeaveDialog } from '../form/LeaveDialog.tsx';
import { RecordsProvider } from '../records/RecordsProvider.tsx';
import type { SearchProps } from '../SearchInput.tsx';
import { useDocumentTitle, useServerInfo } from '../serverInfo.ts';
import { TopBar } from '../TopBar.tsx';
import { visuallyHidden } from '../visuallyHidden.ts';
import { LocalTexts } from './LocalTexts.tsx';
import { PageErrorBoundary } from './PageErrorBoundary.tsx';
import { SessionGate } from './SessionGate.tsx';

export interface FrameProps {
  /** The page's name. */
  readonly title: string;
  /** Only for screen readers, where the room is wanted for the content. */
  readonly titleHidden?: boolean;
  /** All of these are needed; without them the page says so and shows nothing else. */
  readonly permissions?: readonly string[];
  /** Switches the top bar's search on. */
  readonly search?: SearchProps | undefined;
  /** Beside the title. */
  readonly actions?: ReactNode;
  /** `fill`: exactly the window's height, what is inside scrolls by itself; else the page is as long as its content. */
  readonly fill?: boolean;
  /** No padding around the content, which is never longer than the window: a map. */
  readonly bare?: boolean;
  /** What the page shows once it is known who is there. */
  readonly children: (status: UserStatus) => ReactNode;
}

export function Frame({ title, permissions = [], search, children, ...look }: FrameProps) {
  const { info } = useServerInfo();
  useDocumentTitle(info);
  const { titleHidden = false, actions, fill = false, bare = false } = look;
  return (
    <LocalTexts>
      <Box
        sx={{ display: 'flex', flexDirection: 'column', ...(fill ? (bare ? WINDOW : FILLED) : { minHeight: '100%' }) }}
      >
        <TopBar search={search} hidden={pageFlags().nontop} />
        <Box component="main" sx={{ ...MAIN, ...(bare || pageFlags().nontop ? {} : PADDED) }}>
          <Box sx={titleHidden ? visuallyHidden : TITLE_ROW}>
            <Typography component="h1" sx={{ fontSize: 20, fontWeight: 650, flex: 1, minWidth: 0 }}>
              {title}
            </Typography>
            {!titleHidden && actions}
          </Box>
          <PageErrorBoundary>
            <RecordsProvider>
              <SessionGate>
                {(status) => (
                  <UserZoneContext value={zoneOrBrowser(status.timezone)}>
                    {permissions.every((each) => status.permission.includes(each)) ? children(status) : <NotAllowed />}
                  </UserZoneContext>
                )}
              </SessionGate>
            </RecordsProvider>
          </PageErrorBoundary>
        </Box>
      </Box>
      <LeaveDialog />
    </LocalTexts>
  );
}

function NotAllowed() {
  const { t } = useTranslation('Frame');
  return (
    <Alert severity="warning">{t("You don't have permission for this page. Ask your administrator for it.")}</Alert>
  );
}

const MAIN = { display: 'flex', flexDirection: 'column', flex: 1, minWidth: 0, minHeight: 0 } as const;
// A phone has no room for parts that scroll by themselves: there the page is as long as its content.
const FILLED = { minHeight: '100%', height: { xs: 'auto', sm: '100dvh' } } as const;
// Lower than this, a phone on its side, the page scrolls after all.
const WINDOW = { height: '100dvh', minHeight: 420 } as const;
const PADDED = { p: { xs: 1.5, sm: 2, lg: 3 }, gap: 2 } as const;
const TITLE_ROW = { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1.5 } as const;
