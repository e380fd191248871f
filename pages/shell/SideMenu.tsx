import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import type { UserStatus } from '../../shared/protocol/api.ts';
import type { MenuPage } from '../../shared/protocol/menuPages.ts';
import { Permission } from '../../shared/protocol/permissions.ts';
import { GroupSelect } from './GroupSelect.tsx';
import { MenuFooter } from './MenuFooter.tsx';
import { MenuList } from './MenuList.tsx';
import { UserBlock } from './UserBlock.tsx';

export interface SideMenuProps {
  readonly status: UserStatus;
  readonly current: MenuPage | undefined;
}

/** Logo, user, group, pages, footer. The pages scroll, the rest stays. */
export function SideMenu({ status, current }: SideMenuProps) {
  const { t } = useTranslation('Shell');
  return (
    <Box component="nav" aria-label={t('Menu')} sx={{ display: 'flex', flexDirection: 'column', height: '100%' }}>
      <UserBlock username={status.username} />
      {status.permission.includes(Permission.MemberGroup) && <GroupSelect current={status.membergroup} />}
      <Box sx={{ flex: 1, minHeight: 0, overflowY: 'auto', borderTop: 1, borderColor: 'divider' }}>
        <MenuList permissions={status.permission} current={current} />
      </Box>
      <MenuFooter status={status} />
    </Box>
  );
}
