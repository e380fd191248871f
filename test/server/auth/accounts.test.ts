import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ensureFirstUser, FIRST_USER, type FirstUserDeps } from '../../../server/auth/firstUser.ts';
import { createPasswords } from '../../../server/auth/passwords.ts';
import { beginTimes, ORDINARY_LIFE } from '../../../server/auth/sessionTimes.ts';
import { type AdminCommand, runAdmin } from '../../../server/commands/admin.ts';
import { createStores, type Stores } from '../../../server/store/stores.ts';
import { ALL_PERMISSIONS } from '../../../shared/protocol/permissions.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { openTestDatabase, type TestDatabase } from '../store/testDatabase.ts';

const AT = wallMs(1_795_000_000_000);

let database: TestDatabase;
let stores: Stores;
let deps: FirstUserDeps;
beforeAll(async () => {
  database = await openTestDatabase('sqlite');
  stores = createStores(database.db);
  deps = { ...stores, passwords: await createPasswords(), now: () => AT };
});
beforeEach(async () => {
  await database.db.deleteFrom('app_user').execute();
});
afterAll(() => database.close());

describe('the first user', () => {
  it('is an administrator with a random password', async () => {
    const made = await ensureFirstUser(deps, undefined);
    expect(made?.madeUpPassword).toMatch(/^[A-Za-z\d]{16}$/);
    const user = await stores.users.findByName(FIRST_USER);
    expect(user?.permissions).toEqual(ALL_PERMISSIONS);
    expect(await deps.passwords.matches(user?.passwordHash, made?.madeUpPassword ?? '')).toBe(true);
  });

  it('has the configured password, which is then not given out again', async () => {
    expect(await ensureFirstUser(deps, 'configured one')).toEqual({ username: FIRST_USER, madeUpPassword: undefined });
    const user = await stores.users.findByName(FIRST_USER);
    expect(await deps.passwords.matches(user?.passwordHash, 'configured one')).toBe(true);
  });

  it('is made once: an installation with users keeps their passwords', async () => {
    await stores.users.insert({ username: 'ann', passwordHash: 'h', permissions: [] }, AT);
    expect(await ensureFirstUser(deps, 'configured one')).toBeUndefined();
    expect(await stores.users.findByName(FIRST_USER)).toBeUndefined();
  });
});

describe('the administrator’s command', () => {
  const run = (kind: AdminCommand['kind'], name: string) =>
    runAdmin({ kind, name }, { stores, passwords: deps.passwords, now: () => AT });
  const resetPassword = (name: string) => run('reset-password', name);

  it('gives a user a new password and ends the user’s sessions', async () => {
    const id = await stores.users.insert({ username: 'Ann', passwordHash: 'h', permissions: [] }, AT);
    const session = { idHash: 's', userId: id, memberGroup: undefined, wallMonitor: false, createdAtMs: AT };
    await stores.sessions.insert({ ...session, ...beginTimes(AT, ORDINARY_LIFE), address: '', userAgent: '' });
    const { exitCode, text } = await resetPassword('ann');
    expect(exitCode).toBe(0);
    expect(text).toMatch(/^Ann now signs in with [A-Za-z\d]{16}\. Sessions ended: 1\.$/);
    const password = /with (\w+)\./.exec(text)?.[1] ?? '';
    const user = await stores.users.find(id);
    expect(await deps.passwords.matches(user?.passwordHash, password)).toBe(true);
    expect(await stores.sessions.find('s')).toBeUndefined();
    const [entry] = await stores.audit.list({ limit: 1 });
    expect(entry).toMatchObject({ action: 'password.reset', target: 'Ann' });
    expect(JSON.stringify(entry)).not.toContain(password);
  });

  it('does not let a disabled user in again by the way', async () => {
    const id = await stores.users.insert({ username: 'off', passwordHash: 'h', permissions: [], disabled: true }, AT);
    expect((await resetPassword('off')).text).toContain('disabled');
    expect((await stores.users.find(id))?.disabled).toBe(true);
  });

  it('says that there is no such user', async () => {
    expect(await resetPassword('nobody')).toEqual({ exitCode: 1, text: 'There is no user nobody.' });
  });

  it('takes a second factor away for a lost phone, with the sessions', async () => {
    const id = await stores.users.insert({ username: 'Ann', passwordHash: 'h', permissions: [] }, AT);
    await stores.secondFactors.setPending(id, 'sealed');
    await stores.secondFactors.enrol(id, { sealedSecret: 'sealed', step: 1, recoveryHashes: ['h'] });
    expect(await run('reset-second-factor', 'ann')).toMatchObject({ exitCode: 0 });
    expect(await stores.secondFactors.find(id)).toBeUndefined();
    expect(await stores.secondFactors.countRecoveryCodes(id)).toBe(0);
    expect((await run('reset-second-factor', 'nobody')).exitCode).toBe(1);
  });
});
