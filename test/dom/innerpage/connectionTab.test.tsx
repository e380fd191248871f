import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import i18next from 'i18next';
import { expect, test } from 'vitest';
import { ConnectionTab } from '../../../pages/innerpage/devicegroup/devices/ConnectionTab.tsx';
import {
  type ConnectionTest,
  MEDIA_LOSS_KINDS,
  type MediaLossKind,
} from '../../../shared/protocol/api/connectionTest.ts';
import type { DeviceDetail } from '../../../shared/protocol/api/devices.ts';
import { planGateway, renderPage, settle } from '../../support/browser/renderPage.tsx';

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
    { channel: 1, counts: countsOf({ 'missing-packet': 2_345_678, 'frame-gap': 1, 'frame-key-missing': 4, group: 1 }) },
    { channel: 2, counts: countsOf({ 'repeated-packet': 7, 'late-packet': 1, 'viewer-group': 2, resync: 5 }) },
  ]);
  const list = screen.getByText('Channel 1').parentElement;
  expect([...(list?.children ?? [])].map(({ tagName, textContent }) => `${tagName} ${textContent}`)).toEqual([
    'DT Channel 1',
    'DD Missing packets: 2,345,678',
    'DD Dropped frames: 5',
    'DD Interruptions: 1',
    'DT Channel 2',
    'DD Ignored packets: 8',
    'DD Unreadable data: 5',
    'DD Skipped for slow viewers: 2',
  ]);
});

test('it says so where nothing was lost, in the language of the user', async () => {
  await openTested([], 'zh-TW');
  expect(screen.getByRole('heading', { name: '伺服器啟動後的影音遺失' })).toBeDefined();
  expect(screen.getByText('無')).toBeDefined();
  expect(document.querySelectorAll('section dt')).toHaveLength(0);
});
