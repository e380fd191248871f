import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import i18next from 'i18next';
import { expect, test } from 'vitest';
import { ConnectionTab } from '../../../pages/innerpage/devicegroup/devices/ConnectionTab.tsx';
import {
  type ConnectionTest,
  type DeviceDetail,
  MEDIA_LOSS_KINDS,
  type MediaLossKind,
} from '../../../shared/protocol/api/deviceGroup.ts';
import { planGateway, renderPage, settle } from '../../support/renderPage.tsx';

const DEVICE = { deviceid: 'BUS1' } as DeviceDetail;

const countsOf = (some: Partial<Record<MediaLossKind, number>>): Record<MediaLossKind, number> => ({
  ...(Object.fromEntries(MEDIA_LOSS_KINDS.map((kind) => [kind, 0])) as Record<MediaLossKind, number>),
  ...some,
});

async function openTested(mediaLoss: ConnectionTest['mediaLoss'], locale: 'en' | 'zh-TW' | 'jp' = 'en'): Promise<void> {
  const gateway = planGateway();
  const standing = { connected: false, sinceMs: 0, lastMessageAtMs: 0, address: '', edition: '', answer: null };
  gateway.on('POST /api/devicegroup/devices/BUS1/test', { error: false, data: { ...standing, mediaLoss } });
  await renderPage(<ConnectionTab device={DEVICE} />, locale);
  await i18next.loadNamespaces('DeviceGroup');
  await settle();
  await userEvent.click(screen.getByRole('button'));
  await settle();
}

test('the connection test lists by channel what was lost of its media', async () => {
  await openTested([
    { channel: 1, counts: countsOf({ 'missing-packet': 3, 'frame-gap': 1, 'frame-key-missing': 4, group: 1 }) },
    { channel: 2, counts: countsOf({ 'repeated-packet': 7, 'late-packet': 1, 'viewer-group': 2, resync: 5 }) },
  ]);
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'Channel 1: Missing packets: 3 · Dropped frames: 5 · Interruptions: 1',
    'Channel 2: Ignored packets: 8 · Unreadable data: 5 · Left out for slow viewers: 2',
  ]);
});

test('it says so where nothing was lost, in the language of the user', async () => {
  await openTested([], 'zh-TW');
  expect(screen.getByRole('heading', { name: '伺服器啟動後的影音遺失' })).toBeDefined();
  expect(screen.getByText('無')).toBeDefined();
  expect(screen.queryAllByRole('listitem')).toEqual([]);
});
