import { describe, expect, it } from 'vitest';
import { accessSince } from '../../../../../server/backup/restore/accessSince.ts';
import type { AccountState, LinkState } from '../../../../../server/store/backup/carry/carryAccess.ts';

function account(changes: Partial<AccountState> = {}): AccountState {
  return {
    ...{ id: 1, createdAtMs: 5, username: 'ann', isDisabled: false, passwordHash: 'a', passwordChangedAtMs: 5 },
    ...changes,
  };
}

function link(changes: Partial<LinkState> = {}): LinkState {
  return { id: 1, secretHash: 's', revokedAtMs: 0, label: 'Bus 12', ...changes };
}

function sinceOf(now: AccountState, then: AccountState) {
  return accessSince({ accounts: [now], links: [] }, { accounts: [then], links: [] });
}

describe('what a restore does not take back of access', () => {
  it('is that a member was disabled', () => {
    const now = account({ isDisabled: true });
    expect(sinceOf(now, account()).disabled).toEqual([now]);
    expect(sinceOf(now, account({ isDisabled: true })).disabled).toEqual([]);
    expect(sinceOf(account(), account({ isDisabled: true })).disabled).toEqual([]);
  });

  it('is a changed password, whatever the clock said', () => {
    const now = account({ passwordHash: 'b', passwordChangedAtMs: 4 });
    expect(sinceOf(now, account()).passwordChanged).toEqual([now]);
    expect(sinceOf(account(), account()).passwordChanged).toEqual([]);
  });

  it('is nothing of another account that has the number', () => {
    const now = account({ isDisabled: true, passwordHash: 'b', createdAtMs: 6 });
    expect(sinceOf(now, account())).toEqual({ disabled: [], passwordChanged: [], revoked: [] });
  });

  it('is that a link was revoked, of those that the backup has as active', () => {
    const revoked = (now: LinkState, then: LinkState[]) =>
      accessSince({ accounts: [], links: [now] }, { accounts: [], links: then }).revoked;
    const now = link({ revokedAtMs: 7 });
    expect(revoked(now, [link()])).toEqual([now]);
    expect(revoked(now, [link({ revokedAtMs: 6 })])).toEqual([]);
    expect(revoked(now, [link({ secretHash: 'other' })])).toEqual([]);
    expect(revoked(now, [])).toEqual([]);
    expect(revoked(link(), [link()])).toEqual([]);
  });
});
