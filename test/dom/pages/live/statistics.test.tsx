// The live page's statistics, as far as they come from the gateway's API.
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { TilePlayer } from '../../../../shared/player/tile/tilePlayer.ts';
import { StatisticsOverlay } from '../../../../shared/player/tools/StatisticsOverlay.tsx';
import { NETFLOW_USE_PATH } from '../../../../shared/protocol/api/netflow/netflow.ts';
import { planGateway, renderPage, settle } from '../../../support/browser/renderPage.tsx';

const COUNTS = { network: undefined, video: undefined, videoAtMs: 0, picture: undefined, running: 'main' } as const;
const PLAYER = { statistics: () => ({ ...COUNTS, reconnects: 0 }) } as unknown as TilePlayer;

async function show(permission: readonly string[], usageOf: string | undefined) {
  const gateway = planGateway({ user: { permission } });
  gateway.on(`GET ${NETFLOW_USE_PATH}`, {
    error: false,
    data: { steps: [1, 2].map((at) => ({ fromMs: at, kinds: [1_000_000, 250_000, 0, 0, 0, 0, 0, 0, 0] })), top: [] },
  });
  await renderPage(<StatisticsOverlay player={PLAYER} usageOf={usageOf} />);
  await settle();
  return gateway;
}

test('S-2.4.9 shows what the device has used today to those who may see it', async () => {
  const gateway = await show(['netflow'], 'BUS1');
  expect((await screen.findByText('Data used today')).nextElementSibling?.textContent).toBe('2.5 MB');
  expect(gateway.callsOf(NETFLOW_USE_PATH)).toHaveLength(1);
});

test.each([
  ['without the permission', ['event'], 'BUS1'],
  ['beside a recording', ['netflow'], undefined],
] as const)('S-2.4.9 neither shows nor asks for it %s', async (_where, permission, usageOf) => {
  const gateway = await show(permission, usageOf);
  expect(screen.getByText('Reconnections')).toBeDefined();
  expect(screen.queryByText('Data used today')).toBeNull();
  expect(gateway.callsOf(NETFLOW_USE_PATH)).toHaveLength(0);
});
