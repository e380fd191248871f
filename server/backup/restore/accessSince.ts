// The changes of access that a restore doesn't undo: whoever has lost access since the backup was made must not get it back.

import type { AccessChanges, AccessState } from '../../store/backup/carry/carryAccess.ts';

/** The changes with the values of the present database. */
export function accessSince(present: AccessState, restored: AccessState): AccessChanges {
  const accounts = new Map(restored.accounts.map((account) => [account.id, account]));
  const both = present.accounts.flatMap((now) => {
    const then = accounts.get(now.id);
    return then?.createdAtMs === now.createdAtMs ? [{ now, then }] : [];
  });
  const activeLinks = new Map(restored.links.map((link) => [link.id, link]));
  return {
    disabled: both.filter(({ now, then }) => now.isDisabled && !then.isDisabled).map(({ now }) => now),
    passwordChanged: both
      // Times are not compared: a clock that was set back must not bring back a password that somebody else knows.
      .filter(({ now, then }) => now.passwordHash !== then.passwordHash)
      .map(({ now }) => now),
    revoked: present.links.filter((now) => {
      const then = activeLinks.get(now.id);
      return now.revokedAtMs > 0 && then?.secretHash === now.secretHash && then.revokedAtMs === 0;
    }),
  };
}
