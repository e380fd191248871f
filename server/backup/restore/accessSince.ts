// What a restore doesn't take back of access: whoever has lost it since the backup was made, must not have it again.

/** An account, as the present database or the restored one has it. */
export interface AccountState {
  readonly id: number;
  /** With the id it tells one account from another of its number in another installation. */
  readonly createdAtMs: number;
  readonly username: string;
  readonly isDisabled: boolean;
  readonly passwordHash: string;
  readonly passwordChangedAtMs: number;
}

export interface LinkState {
  readonly id: number;
  /** Of the link's secret. */
  readonly secretHash: string;
  /** 0: active. */
  readonly revokedAtMs: number;
}

export interface AccessState {
  readonly accounts: readonly AccountState[];
  readonly links: readonly LinkState[];
}

export interface AccessSince {
  /** As the present database has them. */
  readonly disabled: readonly AccountState[];
  readonly passwordChanged: readonly AccountState[];
  readonly revoked: readonly LinkState[];
}

export function accessSince(present: AccessState, restored: AccessState): AccessSince {
  const accounts = new Map(restored.accounts.map((account) => [account.id, account]));
  const both = present.accounts.flatMap((now) => {
    const then = accounts.get(now.id);
    return then?.createdAtMs === now.createdAtMs ? [{ now, then }] : [];
  });
  const activeLinks = new Map(restored.links.map((link) => [link.id, link]));
  return {
    disabled: both.filter(({ now, then }) => now.isDisabled && !then.isDisabled).map(({ now }) => now),
    passwordChanged: both
      // A clock that was set back must not bring back a password that somebody else knows.
      .filter(({ now, then }) => now.passwordHash !== then.passwordHash)
      .map(({ now }) => now),
    revoked: present.links.filter((now) => {
      const then = activeLinks.get(now.id);
      return now.revokedAtMs > 0 && then?.secretHash === now.secretHash && then.revokedAtMs === 0;
    }),
  };
}
