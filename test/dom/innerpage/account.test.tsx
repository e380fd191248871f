import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';
import { SecondFactorPart } from '../../../pages/innerpage/account/SecondFactorPart.tsx';
import { RecordsProvider } from '../../../shared/ui/records/RecordsProvider.tsx';
import { planGateway, renderPage, settle, watchWarnings } from '../../support/browser/renderPage.tsx';
import { json } from '../../support/fakes/fakeGateway.ts';

const PATH = '/api/user/secondfactor';

async function openPart(isEnrolled: boolean) {
  const gateway = planGateway();
  gateway.on(`GET ${PATH}`, { error: false, data: { isEnrolled, isRequired: false, recoveryCodesLeft: 9 } });
  gateway.on(`POST ${PATH}`, { error: false, data: { secret: 'AAAA', address: 'otpauth://totp/x?secret=AAAA' } });
  gateway.on(`POST ${PATH}/remove`, { error: false, data: {} });
  await renderPage(
    <RecordsProvider>
      <SecondFactorPart />
    </RecordsProvider>,
  );
  await settle();
  return gateway;
}

const press = async (name: string) => {
  await userEvent.click(await screen.findByRole('button', { name }));
  await settle();
};

const descriptionOf = (field: HTMLElement) =>
  document.getElementById(field.getAttribute('aria-describedby') ?? '')?.textContent;

describe('the second factor of an account', () => {
  test('is set up for the first time with the password alone', async () => {
    const gateway = await openPart(false);
    await press('Set up');
    await userEvent.type(await screen.findByLabelText('Password'), 'secret');
    expect(screen.queryByLabelText('Verification code')).toBeNull();
    await press('Next');
    expect(gateway.callsOf(PATH).at(-1)?.body).toEqual({ password: 'secret' });
  });

  test('is replaced with the password and a code of the present one', async () => {
    const gateway = await openPart(true);
    await press('Set up again');
    await userEvent.type(await screen.findByLabelText('Password'), 'secret');
    await userEvent.type(screen.getByLabelText('Verification code'), '123456');
    expect(screen.getByText('Enter 6 digits from your authenticator app, or a recovery code.')).toBeDefined();
    await press('Next');
    expect(gateway.callsOf(PATH).at(-1)?.body).toEqual({ password: 'secret', code: '123456' });
  });

  test.each([
    ['code-required', { code: 'required' }, 'Enter the code from your authenticator app, or a recovery code.'],
    ['wrong-code', { code: 'wrong-code' }, 'The code is wrong or already used. Enter a new one.'],
  ])('says below the code what is wrong with it: %s', async (code, fields, text) => {
    watchWarnings();
    const gateway = await openPart(true);
    gateway.on(`POST ${PATH}`, () => json({ error: true, code, message: 'x', data: { fields } }, { status: 422 }));
    await press('Set up again');
    await userEvent.type(await screen.findByLabelText('Password'), 'secret');
    await press('Next');
    expect(screen.getByLabelText('Verification code').getAttribute('aria-invalid')).toBe('true');
    expect(descriptionOf(screen.getByLabelText('Verification code'))).toBe(text);
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test.each([
    ['Set up again', 'Password'],
    ['Turn off', 'Cancel'],
  ])('is ready to type in, or asks first: %s', async (button, focused) => {
    await openPart(true);
    await press(button);
    await screen.findByLabelText('Password');
    expect(document.activeElement).toBe(
      focused === 'Cancel' ? screen.getByRole('button', { name: focused }) : screen.getByLabelText(focused),
    );
  });

  test.each([
    ['Set up again', PATH],
    ['Turn off', `${PATH}/remove`],
  ])('asks for the password before it asks the gateway, and is done by Enter: %s', async (button, path) => {
    const gateway = await openPart(true);
    const posts = () => gateway.callsOf(path).filter(({ method }) => method === 'POST');
    await press(button);
    await userEvent.type(await screen.findByLabelText('Verification code'), '123456{Enter}');
    await settle();
    expect(descriptionOf(screen.getByLabelText('Password'))).toBe('Enter your password.');
    expect(posts()).toEqual([]);
    await userEvent.type(screen.getByLabelText('Password'), 'secret{Enter}');
    await settle();
    expect(posts().map(({ body }) => body)).toEqual([{ password: 'secret', code: '123456' }]);
  });

  test('says below the password that it is wrong', async () => {
    watchWarnings();
    const gateway = await openPart(false);
    const refusal = { error: true, code: 'wrong-password', message: 'x' };
    gateway.on(`POST ${PATH}`, () => json(refusal, { status: 403 }));
    await press('Set up');
    await userEvent.type(await screen.findByLabelText('Password'), 'wrong');
    await press('Next');
    expect(descriptionOf(screen.getByLabelText('Password'))).toBe(
      "The current password isn't correct. Enter it again.",
    );
  });

  test('is switched off with both, and says what is missing', async () => {
    const gateway = await openPart(true);
    await press('Turn off');
    const refusal = { error: true, code: 'code-required', message: 'x', data: { fields: { code: 'required' } } };
    gateway.on(`POST ${PATH}/remove`, () => json(refusal, { status: 422 }));
    await userEvent.type(await screen.findByLabelText('Password'), 'secret');
    const dialog = screen.getByRole('alertdialog');
    const off = () => [...dialog.querySelectorAll('button')].find(({ textContent }) => textContent === 'Turn off');
    await userEvent.click(off() ?? dialog);
    await settle();
    expect(screen.getByText('Enter the code from your authenticator app, or a recovery code.')).toBeDefined();
    gateway.on(`POST ${PATH}/remove`, { error: false, data: {} });
    await userEvent.type(screen.getByLabelText('Verification code'), 'ABCD-EFGH');
    await userEvent.click(off() ?? dialog);
    await settle();
    expect(gateway.callsOf(`${PATH}/remove`).at(-1)?.body).toEqual({ password: 'secret', code: 'ABCD-EFGH' });
    expect(screen.queryByRole('alertdialog')).toBeNull();
  });
});
