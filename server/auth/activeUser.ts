import type { WallMs } from '../../shared/protocol/time.ts';

/** Whether a user may be let in now, as far as the account goes. */
export function isActive(user: { readonly disabled: boolean; readonly expiresAtMs: WallMs }, now: WallMs): boolean {
  return !user.disabled && (user.expiresAtMs === 0 || user.expiresAtMs > now);
}
