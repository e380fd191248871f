import { screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';
import { BACKUP_PLAN_PATH } from '../../../../shared/protocol/api/system/backups.ts';
import { noticeOf } from '../../../support/browser/notices.ts';
import { watchWarnings } from '../../../support/browser/renderPage.tsx';
import type { FakeGateway } from '../../../support/fakes/fakeGateway.ts';
import { button, openBackups } from './fakeBackups.tsx';

const PHRASE = 'depot at the harbour';
const saved = (gateway: FakeGateway) =>
  gateway.callsOf(BACKUP_PLAN_PATH).findLast(({ method }) => method === 'PUT')?.body;
const openPlan = (plan = {}) => openBackups({ query: 'tab=plan', plan });
const chooseEncryption = async (user: UserEvent, value: string) =>
  user.selectOptions(await screen.findByRole('combobox', { name: 'Encryption' }), value);
const proveOwner = async (user: UserEvent) => user.type(await screen.findByLabelText('Password'), 'mine');

describe('the plan of backups (S-2.4.19)', () => {
  test('is changed, and its passphrase stays', async () => {
    const { gateway, user } = await openPlan();
    const time = await screen.findByRole<HTMLInputElement>('textbox', { name: /^Time of day/ });
    expect(time.value).toBe('02:00');
    await user.clear(time);
    await user.type(time, '03:30');
    await user.selectOptions(screen.getByRole('combobox', { name: 'Repeats' }), 'weekly');
    await user.selectOptions(await screen.findByRole('combobox', { name: 'Day of the week' }), 'Friday');
    await user.click(screen.getByRole('checkbox', { name: 'Data usage' }));
    await user.click(await button('Save'));
    expect(await noticeOf('Plan saved.')).toBe('success');
    expect(saved(gateway)).toMatchObject({
      version: 3,
      every: 'weekly',
      weekday: 5,
      minuteOfDay: 210,
      history: ['positions', 'events', 'audit'],
      passphrase: null,
      newRecoveryKey: false,
    });
  });

  test('says what is wrong before it is sent', async () => {
    const { gateway, user } = await openPlan({ encryption: 'none', hasKey: false });
    await chooseEncryption(user, 'passphrase');
    const days = screen.getByRole('textbox', { name: /^Days/ });
    await user.clear(days);
    await user.type(screen.getByLabelText('Passphrase'), PHRASE);
    await user.type(screen.getByLabelText('Passphrase again'), 'depot');
    await user.click(await button('Save'));
    await screen.findByText('Enter a number from 1 to 1000.');
    screen.getByText("The passphrases don't match.");
    screen.getByText('Enter your password.');
    expect(saved(gateway)).toBeUndefined();
    await user.type(days, '14');
    await user.type(screen.getByLabelText('Passphrase again'), ' at the harbour');
    await proveOwner(user);
    await user.click(await button('Save'));
    await noticeOf('Plan saved.');
    expect(saved(gateway)).toMatchObject({ encryption: 'passphrase', passphrase: PHRASE, keepDays: 14 });
  });

  test('a recovery key is shown once, and only gone when it has been written down', async () => {
    const { gateway, user } = await openPlan();
    await chooseEncryption(user, 'recovery-key');
    await screen.findByText('The recovery key is made when you save, and shown once.');
    await proveOwner(user);
    await user.click(await button('Save'));
    const dialog = within(await screen.findByRole('dialog', { name: 'Recovery key' }));
    expect(dialog.getByRole<HTMLTextAreaElement>('textbox', { name: 'Recovery key' }).value).toBe('ABCD-EFGH');
    dialog.getByRole('button', { name: 'Copy: Recovery key' });
    await user.keyboard('{Escape}');
    const close = dialog.getByRole<HTMLButtonElement>('button', { name: 'Close' });
    expect(close.disabled).toBe(true);
    await user.click(dialog.getByRole('checkbox', { name: "I've written it down" }));
    await user.click(close);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(saved(gateway)).toMatchObject({ encryption: 'recovery-key', newRecoveryKey: false, password: 'mine' });
    // From now on there is one, which another replaces.
    await user.click(await screen.findByRole('switch', { name: 'Make a new recovery key' }));
    await proveOwner(user);
    await user.click(await button('Save'));
    await screen.findByRole('dialog', { name: 'Recovery key' });
    expect(saved(gateway)).toMatchObject({ newRecoveryKey: true });
  });

  test('keeps what two administrators want', async () => {
    watchWarnings();
    const { gateway, held, user } = await openPlan();
    await user.click(await screen.findByRole('checkbox', { name: 'Event media' }));
    held.plan = { ...held.plan, version: 4, keepDays: 30 };
    await user.click(await button('Save'));
    const dialog = within(await screen.findByRole('dialog', { name: 'Another user changed this' }));
    dialog.getByText('Theirs: 30 (was 7)');
    await user.click(dialog.getByRole('button', { name: 'Continue' }));
    await user.click(await button('Save'));
    await noticeOf('Plan saved.');
    expect(saved(gateway)).toMatchObject({ version: 4, keepDays: 30, files: ['firmware', 'reports'] });
  });

  test('follows another administrator, unless something is typed', async () => {
    const { held, sockets, user } = await openPlan();
    const days = await screen.findByRole<HTMLInputElement>('textbox', { name: /^Days/ });
    held.plan = { ...held.plan, version: 4, keepDays: 30 };
    sockets[0]?.open();
    sockets[0]?.tell({ type: 'backups', revision: 2, reload: true });
    await waitFor(() => expect(days.value).toBe('30'));
    await user.clear(days);
    await user.type(days, '5');
    held.plan = { ...held.plan, version: 5, keepDays: 60 };
    sockets[0]?.tell({ type: 'backups', revision: 3, reload: true });
    await waitFor(() => expect(held.plan.version).toBe(5));
    expect(days.value).toBe('5');
  });
});
