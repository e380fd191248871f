import { useSession } from '../../../shared/ui/session.ts';

export function usePermission(permission: string): boolean {
  const session = useSession();
  return session.kind === 'signed-in' && session.status.permission.includes(permission);
}
