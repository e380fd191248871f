import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { InvitationForm } from '../../../pages/innerpage/invitation/InvitationForm.tsx';
import { INVITATION_PATH } from '../../../shared/protocol/api/ownAccount.ts';
import { RecordsProvider } from '../../../shared/ui/records/RecordsProvider.tsx';
import { planGateway, renderPage, watchWarnings } from '../../support/browser/renderPage.tsx';
import { json } from '../../support/fakes/fakeGateway.ts';

test('an invitation that was used before says so, and whom to ask', async () => {
  watchWarnings();
  const gateway = planGateway();
  gateway.on(`POST ${INVITATION_PATH}`, () =>
    json({ error: true, code: 'no-such-invitation', message: 'none' }, { status: 404 }),
  );
  await renderPage(
    <RecordsProvider>
      <InvitationForm />
    </RecordsProvider>,
  );
  await screen.findByText('This invitation link was already used or has expired.');
  screen.getByText('Links work once and expire after 3 days. Ask your administrator for a new one.');
  expect(screen.queryByLabelText(/password/i)).toBeNull();
});
