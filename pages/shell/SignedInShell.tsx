import Box from '@mui/material/Box';
import useMediaQuery from '@mui/material/useMediaQuery';
import { useTranslation } from 'react-i18next';
import type { UserStatus } from '../../shared/protocol/api.ts';
import { pageAtAddress } from '../../shared/protocol/menuPages.ts';
import { NARROW_QUERY } from '../../shared/ui/frame/shellWindow.ts';
import { useServerInfoUpdates } from '../../shared/ui/serverInfo.ts';
import { useSessionUpdates } from '../../shared/ui/sessionUpdates.ts';
import { useHistoryEntry } from './address.ts';
import { Content } from './Content.tsx';
import { CriticalCountContext, useCriticalCount } from './criticalCount.ts';
import { LicenseBar } from './license/LicenseBar.tsx';
import { useLicenseNotice } from './license/useLicenseNotice.ts';
import { PopUps } from './popUps/PopUps.tsx';
import { SideMenu } from './SideMenu.tsx';
import { SidePanel } from './SidePanel.tsx';
import { SkipLink } from './SkipLink.tsx';

const MENU_WIDTH_PX = 248;

export interface SignedInShellProps {
  readonly status: UserStatus;
}

/** The menu beside the content, or on a narrow window in a panel over it. */
export function SignedInShell({ status }: SignedInShellProps) {
  const { t } = useTranslation('Shell');
  const entry = useHistoryEntry();
  const isNarrow = useMediaQuery(NARROW_QUERY, { noSsr: true });
  const page = pageAtAddress(entry.path);
  const criticalCount = useCriticalCount(status.permission);
  useServerInfoUpdates();
  useSessionUpdates();
  const license = useLicenseNotice(status);
  const menu = <SideMenu status={status} current={page} />;
  return (
    <CriticalCountContext value={criticalCount}>
      <Box sx={{ display: 'flex', height: '100dvh', overflow: 'hidden' }}>
        <SkipLink contentId={CONTENT_ID} />
        {isNarrow ? (
          <SidePanel source={entry.id} label={t('Menu')}>
            {menu}
          </SidePanel>
        ) : (
          <Box sx={MENU_COLUMN}>{menu}</Box>
        )}
        <Box id={CONTENT_ID} tabIndex={-1} sx={CONTENT}>
          {license !== undefined && <LicenseBar {...license} permissions={status.permission} />}
          <Content page={page} query={entry.query} visitId={entry.id} status={status} />
        </Box>
        <PopUps
          // Another member group sees other devices: what popped up for the one before goes.
          key={status.membergroup}
          permissions={status.permission}
          timeZone={status.timezone ?? ''}
          current={page}
        />
      </Box>
    </CriticalCountContext>
  );
}

const CONTENT_ID = 'shell-content';
const CONTENT = { flex: 1, minWidth: 0, display: 'flex', flexDirection: 'column', outline: 'none' } as const;
const MENU_COLUMN = {
  width: MENU_WIDTH_PX,
  flexShrink: 0,
  backgroundColor: 'background.paper',
  // A shadow inside takes no width, so that the frame begins exactly where the menu ends.
  boxShadow: 'inset -1px 0 0 var(--mui-palette-divider)',
} as const;
