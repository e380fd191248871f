import { Permission } from '../../protocol/permissions.ts';
import { useSession } from '../session.ts';

/** Whether the member may have recordings fetched from devices. */
export function useMayFetch(): boolean {
  const session = useSession();
  return session.kind === 'signed-in' && session.status.permission.includes(Permission.Datasync);
}
