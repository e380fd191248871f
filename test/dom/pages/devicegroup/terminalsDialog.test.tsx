import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import i18next from 'i18next';
import { expect, test } from 'vitest';
import { TerminalsDialog } from '../../../../pages/innerpage/devicegroup/terminals/TerminalsDialog.tsx';
import type { WaitingTerminal } from '../../../../shared/protocol/api/terminals.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { planGateway, renderPage } from '../../../support/browser/renderPage.tsx';
import { readTranslation } from '../../../support/fakes/fakeGateway.ts';

const IDENTITY = { manufacturer: '44030', terminalId: 'T1' };
const TERMINAL: WaitingTerminal = {
  terminal: '138',
  edition: '2019',
  ...IDENTITY,
  model: 'M',
  plate: '',
  address: '192.0.2.9',
  firstSeenAtMs: wallMs(1),
  lastSeenAtMs: wallMs(2),
  attempts: 3,
  refusedAtMs: wallMs(0),
  refusedBy: '',
  device: { deviceid: 'A', name: 'Bus 1', ...IDENTITY },
};

test('a terminal of a device that is online from elsewhere is told apart, and approved with its address', async () => {
  const gateway = planGateway();
  const path = '/api/devicegroup/terminals/approve';
  gateway.on(`POST ${path}`, { error: false, data: {} });
  const changed: WaitingTerminal = { ...TERMINAL, terminal: '139', terminalId: 'T2' };
  const nothing = () => undefined;
  await renderPage(
    <TerminalsDialog terminals={[TERMINAL, changed]} onAdopt={nothing} onChanged={nothing} onClose={nothing} />,
  );
  i18next.addResourceBundle('en', 'DeviceGroup', readTranslation('en', 'DeviceGroup'));
  const part = (title: string) => within(screen.getByText(title).parentElement ?? document.body);
  expect(part('Online from another address').getByText(/Approving disconnects that terminal/)).toBeDefined();
  expect(part('Changed identities').getByText('Current identity: manufacturer 44030, terminal ID T1')).toBeDefined();
  await userEvent.setup().click(screen.getByRole('button', { name: 'Approve 138' }));
  await screen.findByText('Terminal approved. It has 5 minutes to register.');
  const approvals = gateway.calls.filter((each) => each.path === path);
  expect(approvals.map(({ body }) => body)).toEqual([{ terminal: '138', ...IDENTITY, address: '192.0.2.9' }]);
});
