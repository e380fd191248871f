import { ALL_PERMISSIONS } from '../../../shared/protocol/permissions.ts';
import { useSession } from '../../../shared/ui/session.ts';

/** Whether the member has every permission, which restores, downloads and the key of backups need. */
export function useIsAdministrator(): boolean {
  const session = useSession();
  return session.kind === 'signed-in' && ALL_PERMISSIONS.every((each) => session.status.permission.includes(each));
}
