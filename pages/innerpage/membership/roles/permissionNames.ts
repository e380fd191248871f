import { useTranslation } from 'react-i18next';
import { MENU_PAGES } from '../../../../shared/protocol/menuPages.ts';
import { ALL_PERMISSIONS, Permission } from '../../../../shared/protocol/permissions.ts';

/** What a permission opens, in the user's language: the page by its name in the menu, else in words. */
export function usePermissionName(): (permission: string) => string {
  const { t } = useTranslation(['Membership', 'Menu']);
  const others: Readonly<Record<string, string>> = {
    [Permission.System]: t('Administration of all groups'),
    [Permission.MemberGroup]: t('Switching the member group'),
    [Permission.Event]: t('Events'),
    [Permission.Member]: t('Members, groups, roles, and sessions'),
    [Permission.Export]: t('Recording export'),
    [Permission.Evidence]: t('Evidence holds'),
    [Permission.Link]: t('Share links'),
    [Permission.Audit]: t('Audit log'),
    [Permission.Talk]: t('Talk'),
    [Permission.DeviceText]: t('Texts to drivers'),
  };
  return (permission) => {
    const page = MENU_PAGES.find((each) => each.permission === permission);
    return others[permission] ?? (page === undefined ? permission : t(page.name, { ns: 'Menu' }));
  };
}

/** In the order in which they are read: what anybody may be given first. */
export const PERMISSION_ORDER: readonly string[] = [
  Permission.Event,
  Permission.Report,
  Permission.Talk,
  Permission.DeviceText,
  Permission.MemberGroup,
  Permission.Export,
  Permission.Evidence,
  Permission.Link,
  Permission.Audit,
  ...ALL_PERMISSIONS,
].filter((permission, at, all) => all.indexOf(permission) === at);
