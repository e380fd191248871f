import { act, fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { LoginPage } from '../../../pages/innerpage/login/LoginPage.tsx';
import { SIGNED_OUT } from '../../../shared/api/parsers.ts';
import { planGateway, renderPage, settle, watchWarnings } from '../../support/browser/renderPage.tsx';
import { type FakeAnswer, json, readTranslation } from '../../support/fakes/fakeGateway.ts';
import { STATUS_PATH } from '../../support/fakes/fakeUsers.ts';

const LOGIN = '/api/user/login';
const replace = vi.fn();

beforeEach(() => {
  replace.mockClear();
  vi.spyOn(window.location, 'replace').mockImplementation(replace);
  window.history.replaceState(null, '', '/innerpage/login.html');
});

async function openLogin(answer: () => FakeAnswer = () => json({ error: false, data: { login: true } })) {
  const gateway = planGateway();
  gateway.on(`POST ${LOGIN}`, answer);
  await renderPage(<LoginPage />);
  return gateway;
}

async function signIn(username = 'mei', password = 'right password'): Promise<void> {
  await userEvent.type(screen.getByLabelText('Username'), username);
  await userEvent.type(screen.getByLabelText('Password'), password);
  await userEvent.click(screen.getByRole('button', { name: 'Sign in' }));
  await settle();
}

describe('the login page', () => {
  test('has a user name, a hidden password and a language select, and is ready to type in', async () => {
    await openLogin();
    expect(document.activeElement).toBe(screen.getByLabelText('Username'));
    expect(screen.getByLabelText<HTMLInputElement>('Password').type).toBe('password');
    expect(screen.getByRole('combobox', { name: 'Language' })).toBeDefined();
  });

  test('shows and hides the password', async () => {
    await openLogin();
    await userEvent.click(screen.getByRole('button', { name: 'Show password' }));
    expect(screen.getByLabelText<HTMLInputElement>('Password').type).toBe('text');
    await userEvent.click(screen.getByRole('button', { name: 'Hide password' }));
    expect(screen.getByLabelText<HTMLInputElement>('Password').type).toBe('password');
  });

  test('hints at Caps Lock while it is on', async () => {
    await openLogin();
    const field = screen.getByLabelText('Password');
    fireEvent.keyDown(field, { key: 'A', modifierCapsLock: true });
    // The component tests' keyboard events know no modifier state of their own.
    const pressed = new KeyboardEvent('keydown', { key: 'A', bubbles: true });
    Object.defineProperty(pressed, 'getModifierState', { value: (key: string) => key === 'CapsLock' });
    fireEvent(field, pressed);
    expect(screen.getByText('Caps Lock is on.')).toBeDefined();
    const released = new KeyboardEvent('keyup', { key: 'CapsLock', bubbles: true });
    Object.defineProperty(released, 'getModifierState', { value: () => false });
    fireEvent(field, released);
    await vi.waitFor(() => expect(screen.queryByText('Caps Lock is on.')).toBeNull());
  });

  test('asks for what is missing in words of its own, and calls nobody', async () => {
    const gateway = await openLogin();
    await userEvent.click(screen.getByRole('button', { name: 'Sign in' }));
    expect(screen.getByText('Enter your username.')).toBeDefined();
    expect(screen.getByText('Enter your password.')).toBeDefined();
    expect(gateway.callsOf(LOGIN)).toEqual([]);
  });
});

describe('signing in', () => {
  test.each([
    ['', '/'],
    ['?return=%2Freport%3Fa%3D1', '/report?a=1'],
    ['?return=https%3A%2F%2Fevil.example%2F', '/'],
  ])('from %s leads to %s', async (search, expected) => {
    window.history.replaceState(null, '', `/innerpage/login.html${search}`);
    const gateway = await openLogin();
    await signIn();
    expect(gateway.callsOf(LOGIN).map((call) => call.body)).toEqual([{ username: 'mei', password: 'right password' }]);
    expect(replace.mock.calls).toEqual([[expected]]);
  });

  test('by Enter in the password is signing in', async () => {
    await openLogin();
    await userEvent.type(screen.getByLabelText('Username'), 'mei');
    await userEvent.type(screen.getByLabelText('Password'), 'right password{Enter}');
    await settle();
    expect(replace).toHaveBeenCalledOnce();
  });

  test('for a wall monitor asks for the long session', async () => {
    const gateway = await openLogin();
    await userEvent.click(screen.getByRole('checkbox'));
    await signIn();
    expect(gateway.callsOf(LOGIN)[0]?.body).toMatchObject({ wallMonitor: true });
  });

  test.each([
    [401, 'bad-credentials'],
    [429, 'slow-down'],
  ])('refused with %i %s says so in words and keeps what was typed', async (status, code) => {
    watchWarnings();
    await openLogin(() => json({ error: true, code, message: 'in the servers words' }, { status }));
    await signIn();
    expect(screen.getByRole('alert').textContent).toBe(readTranslation('en', 'Errors')[code]);
    expect(screen.getByLabelText<HTMLInputElement>('Username').value).toBe('mei');
    expect(replace).not.toHaveBeenCalled();
  });

  test('that takes long says so after three seconds, in a place that is there before', async () => {
    let answer: (answer: Response) => void = () => {};
    await openLogin(() => new Promise<Response>((resolve) => (answer = resolve)));
    const notice = screen.getByRole('status');
    fireEvent.change(screen.getByLabelText('Username'), { target: { value: 'mei' } });
    fireEvent.change(screen.getByLabelText('Password'), { target: { value: 'right password' } });
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    fireEvent.click(screen.getByRole('button', { name: 'Sign in' }));
    await act(() => vi.advanceTimersByTimeAsync(2_999));
    expect(notice.textContent).toBe('');
    await act(() => vi.advanceTimersByTimeAsync(1));
    expect(notice.textContent).toBe('Signing in is taking longer than usual. Wait a moment.');
    watchWarnings();
    answer(json({ error: true, code: 'slow-down', message: 'x' }, { status: 429 }));
    await act(() => vi.advanceTimersByTimeAsync(0));
    expect(notice.textContent).toBe('');
    expect(screen.getByRole('alert').textContent).toBe(readTranslation('en', 'Errors')['slow-down']);
  });

  test("without an answer says that the server can't be reached, with the browser's text", async () => {
    watchWarnings();
    await openLogin(() => new TypeError('Failed to fetch'));
    await signIn();
    expect(screen.getByRole('alert').textContent).toBe(
      "Can't reach the server. Check your network and try again. Failed to fetch",
    );
  });

  test('that the browser does not keep says so and goes nowhere', async () => {
    const gateway = await openLogin();
    gateway.on(`GET ${STATUS_PATH}`, { error: false, data: SIGNED_OUT });
    await signIn();
    expect(screen.getByRole('alert').textContent).toContain('Allow cookies');
    expect(replace).not.toHaveBeenCalled();
  });
});

describe('the language of a member (X-16)', () => {
  test.each([
    [null, 'jp'],
    ['xx', 'jp'],
    ['zh-TW', 'zh-TW'],
  ])('with %s in the storage it is %s afterwards', async (stored, expected) => {
    await openLogin(() => json({ error: false, data: { login: true, language: 'jp' } }));
    if (stored === null) localStorage.removeItem('language');
    else localStorage.setItem('language', stored);
    await signIn();
    expect(localStorage.getItem('language')).toBe(expected);
  });
});

describe('the second factor', () => {
  const owed = (step: 'code' | 'enrol') => () => json({ error: false, data: { login: false, step, ticket: 'T1' } });
  const type = async (code: string) => {
    await userEvent.type(screen.getByLabelText('Verification code'), code);
    await userEvent.click(screen.getByRole('button', { name: 'Sign in' }));
    await settle();
  };

  test('is asked for after the password, and sent with the ticket', async () => {
    const gateway = await openLogin(owed('code'));
    gateway.on(`POST ${LOGIN}/code`, () => json({ error: false, data: { login: true } }));
    await signIn();
    expect(replace).not.toHaveBeenCalled();
    expect(document.activeElement).toBe(screen.getByLabelText('Verification code'));
    await type('123456');
    expect(gateway.callsOf(`${LOGIN}/code`).map((call) => call.body)).toEqual([{ ticket: 'T1', code: '123456' }]);
    expect(replace.mock.calls).toEqual([['/']]);
  });

  test('that took too long leads back to the password, and says why', async () => {
    const gateway = await openLogin(owed('code'));
    const refusal = { error: true, code: 'sign-in-again', message: 'late' };
    gateway.on(`POST ${LOGIN}/code`, () => json(refusal, { status: 401 }));
    watchWarnings();
    await signIn();
    await type('123456');
    expect(screen.getByRole('alert').textContent).toBe(readTranslation('en', 'Errors')['sign-in-again']);
    expect(screen.getByLabelText('Password')).toBeDefined();
  });

  test('that is required is set up on the way in; its recovery codes are shown before the page is left', async () => {
    const gateway = await openLogin(owed('enrol'));
    const beginning = { secret: 'JBSWY3DPEHPK3PXP', address: 'otpauth://totp/a?secret=JBSWY3DPEHPK3PXP' };
    gateway.on(`POST ${LOGIN}/enrol`, () => json({ error: false, data: beginning }));
    const done = { login: true, recoveryCodes: ['AAAA-BBBB-CCCC-DDDD'] };
    gateway.on(`POST ${LOGIN}/confirm`, () => json({ error: false, data: done }));
    await signIn();
    await screen.findByText('JBSW Y3DP EHPK 3PXP');
    await type('123456');
    expect(replace).not.toHaveBeenCalled();
    expect(screen.getByText('AAAA-BBBB-CCCC-DDDD')).toBeDefined();
    await userEvent.click(screen.getByRole('button', { name: "I've saved the codes" }));
    expect(replace.mock.calls).toEqual([['/']]);
  });
});
