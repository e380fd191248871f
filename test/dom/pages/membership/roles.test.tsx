import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { LinkDialog } from '../../../../pages/innerpage/membership/links/LinkDialog.tsx';
import { RoleDialog } from '../../../../pages/innerpage/membership/roles/RoleDialog.tsx';
import { ROLES_PATH } from '../../../../shared/protocol/api/accounts.ts';
import { LINK_DEVICES_PATH } from '../../../../shared/protocol/api/links.ts';
import { ALL_PERMISSIONS } from '../../../../shared/protocol/permissions.ts';
import { RecordsProvider } from '../../../../shared/ui/records/RecordsProvider.tsx';
import { planGateway, renderPage } from '../../../support/browser/renderPage.tsx';
import { json } from '../../../support/fakes/fakeGateway.ts';
import { insertText } from '../../insertText.ts';

async function openRole(permission: readonly string[], locale: 'en' | 'zh-TW' | 'jp' = 'en') {
  const gateway = planGateway({ user: { permission: [...permission] } });
  const onSaved = vi.fn();
  const added = { role: undefined, onSaved, onClose: () => undefined };
  await renderPage(<RoleDialog {...added} />, locale);
  const form = within(screen.getByRole('dialog'));
  return { gateway, onSaved, form, boxes: () => form.getAllByRole('checkbox') };
}

test.each([
  ['en', 'Talk', 'Texts to drivers'],
  ['zh-TW', '對講', '傳文字給駕駛'],
  ['jp', '通話', 'ドライバーへの文字送信'],
] as const)('a role offers each permission by a name of its own (%s)', async (locale, talk, texts) => {
  const { form, boxes } = await openRole(ALL_PERMISSIONS, locale);
  form.getByLabelText(talk);
  form.getByLabelText(texts);
  const names = boxes().map((box) => box.closest('label')?.textContent ?? '');
  expect(new Set(names).size).toBe(ALL_PERMISSIONS.length);
  expect(names.filter((name) => name === '' || ALL_PERMISSIONS.some((permission) => permission === name))).toEqual([]);
});

test('a role gets talk and texts apart, and only from those who have them', async () => {
  const { gateway, form, onSaved } = await openRole(['system', 'member', 'talk']);
  expect(form.queryByLabelText('Texts to drivers')).toBeNull();
  gateway.on(`POST ${ROLES_PATH}`, ({ body }) => {
    const role = { ...(body as object), id: 9, builtIn: '', members: 0, mayEdit: true, mayGive: true, version: 1 };
    return json({ error: false, data: role });
  });
  await insertText(userEvent, form.getByLabelText(/^Name/), 'Dispatch');
  await userEvent.click(form.getByLabelText('Talk'));
  await userEvent.click(form.getByText('Save'));
  await vi.waitFor(() => expect(onSaved).toHaveBeenCalled());
  expect(gateway.callsOf(ROLES_PATH).map(({ body }) => body)).toEqual([
    { name: 'Dispatch', permissions: ['talk'], secondFactorRequired: false },
  ]);
});

test.each([
  [['link'], true],
  [['link', 'talk'], false],
])('a share link of a member with %j says that it will not talk: %s', async (permission, isSaid) => {
  const gateway = planGateway({ user: { permission } });
  gateway.on(`GET ${LINK_DEVICES_PATH}`, { error: false, data: [] });
  await renderPage(
    <RecordsProvider>
      <LinkDialog onMade={() => undefined} onClose={() => undefined} />
    </RecordsProvider>,
  );
  screen.getByLabelText('PTZ and talk');
  const hint = screen.queryByText('Talk only works while you have permission for it.');
  expect(hint !== null).toBe(isSaid);
});
