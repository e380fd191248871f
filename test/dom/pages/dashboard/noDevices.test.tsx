// Why a dashboard is empty, and where that is mended.
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { NoDevices } from '../../../../pages/innerpage/dashboard/NoDevices.tsx';
import { planGateway, renderPage } from '../../../support/browser/renderPage.tsx';

it.each([
  [
    'a member in no group who may add themselves',
    0,
    ['system', 'member'],
    /^You aren't in a member group.* Add yourself/,
    '/membership?tab=groups',
  ],
  [
    'a member in no group who may not',
    0,
    ['event'],
    /^You aren't in a member group.* Ask your administrator/,
    undefined,
  ],
  [
    'a group without devices, to who may add some',
    3,
    ['system', 'devicegroup'],
    /^Your member group has no devices/,
    '/devicegroup',
  ],
  ['a group without devices, to others', 3, [], /^No devices in your member group yet/, undefined],
] as const)('says so for %s', async (_who, memberGroup, permissions, text, href) => {
  planGateway();
  await renderPage(<NoDevices permissions={permissions} memberGroup={memberGroup} />);
  expect(screen.getByText(text)).toBeDefined();
  expect(screen.queryByRole('link')?.getAttribute('href') ?? undefined).toBe(href);
});
