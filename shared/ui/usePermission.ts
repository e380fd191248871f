import type { Permission } from '../protocol/permissions.ts';
import { useSession } from './session.ts';

/** Whether the member has the permission now. */
export function usePermission(permission: Permission): boolean {
  const session = useSession();
  return session.kind === 'signed-in' && session.status.permission.includes(permission);
}
