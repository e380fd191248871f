import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { SIGNED_OUT } from '../../../../shared/api/parsers.ts';
import { useUnsaved } from '../../../../shared/ui/form/unsaved.ts';
import { Frame } from '../../../../shared/ui/frame/Frame.tsx';
import { recheckSession } from '../../../../shared/ui/session.ts';
import { planGateway, renderPage, settle, watchWarnings } from '../../../support/browser/renderPage.tsx';
import { json } from '../../../support/fakes/fakeGateway.ts';
import { FULL_USER, STATUS_PATH } from '../../../support/fakes/fakeUsers.ts';

const replace = vi.fn();

function Notes() {
  const [text, setText] = useState('');
  useUnsaved(text !== '');
  return <textarea aria-label="Notes" value={text} onChange={(event) => setText(event.target.value)} />;
}

beforeEach(() => {
  replace.mockClear();
  vi.spyOn(window.location, 'replace').mockImplementation(replace);
});

async function typeAndLoseSession() {
  watchWarnings();
  const gateway = planGateway({ user: { username: 'mei' } });
  await renderPage(<Frame title="Report">{() => <Notes />}</Frame>);
  const user = userEvent.setup();
  await user.type(screen.getByLabelText('Notes'), 'two hours of work');
  gateway.on(`GET ${STATUS_PATH}`, { error: false, data: SIGNED_OUT });
  await act(() => recheckSession());
  const password = await screen.findByLabelText('Password');
  return { gateway, user, password };
}

const notes = () => screen.getByLabelText('Notes') as HTMLTextAreaElement;
const signIn = () => screen.getByRole('button', { name: 'Sign in' });

describe('a session that ends while something unsaved stands on the page', () => {
  test('is begun again in place, and what was typed is still there', async () => {
    const { gateway, user, password } = await typeAndLoseSession();
    expect(screen.getByRole('dialog').textContent).toContain('Sign in again as mei');
    expect(replace).not.toHaveBeenCalled();
    gateway.on('POST /api/user/login', () => {
      gateway.on(`GET ${STATUS_PATH}`, { error: false, data: { ...FULL_USER, username: 'mei' } });
      return json({ error: false, data: { login: true, language: '' } });
    });
    await user.type(password, 'secret');
    await user.click(signIn());
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(gateway.callsOf('/api/user/login')[0]?.body).toEqual({ username: 'mei', password: 'secret' });
    expect(notes().value).toBe('two hours of work');
    expect(replace).not.toHaveBeenCalled();
  });

  test('is not begun with a wrong password, and says so', async () => {
    const { gateway, user, password } = await typeAndLoseSession();
    gateway.on('POST /api/user/login', () =>
      json({ error: true, code: 'bad-credentials', message: '' }, { status: 401 }),
    );
    await user.type(password, 'wrong');
    await user.click(signIn());
    expect((await screen.findByRole('alert')).textContent).toContain("password isn't correct");
    expect(notes().value).toBe('two hours of work');
  });

  test('can be left, which gives up what was typed', async () => {
    const { user } = await typeAndLoseSession();
    await user.click(screen.getByRole('button', { name: 'Leave' }));
    expect(replace).toHaveBeenCalledOnce();
    expect(document.documentElement.hasAttribute('data-unsaved')).toBe(false);
  });

  test('leads to sign-in at once when nothing would be lost', async () => {
    watchWarnings();
    const gateway = planGateway();
    await renderPage(<Frame title="Report">{() => <Notes />}</Frame>);
    gateway.on(`GET ${STATUS_PATH}`, { error: false, data: SIGNED_OUT });
    await act(() => recheckSession());
    expect(replace).toHaveBeenCalledOnce();
    expect(screen.queryByRole('dialog')).toBeNull();
  });
});

describe('the frame of a page', () => {
  test('shows nothing of it to whom lacks one of its permissions', async () => {
    planGateway({ user: { permission: ['system'] } });
    await renderPage(
      <Frame title="Account" permissions={['system', 'member']}>
        {() => <p>{'secrets'}</p>}
      </Frame>,
    );
    expect(screen.getByRole('main').textContent).toContain("You don't have permission");
    expect(screen.queryByText('secrets')).toBeNull();
  });

  test('keeps a fault to the content, names it and offers to try again', async () => {
    watchWarnings();
    planGateway();
    let isBroken = true;
    function Fragile() {
      if (isBroken) throw new TypeError('rows is undefined');
      return <p>{'whole'}</p>;
    }
    await renderPage(<Frame title="Report">{() => <Fragile />}</Frame>);
    expect(screen.getByRole('alert').textContent).toContain('TypeError: rows is undefined');
    expect(screen.getByRole('banner')).toBeDefined();
    isBroken = false;
    await userEvent.setup().click(screen.getByRole('button', { name: 'Try again' }));
    await settle();
    expect(screen.getByText('whole')).toBeDefined();
  });
});
