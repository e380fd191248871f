import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, onTestFinished, test } from 'vitest';
import { VersionPage } from '../../../../pages/innerpage/version/VersionPage.tsx';
import { HEALTH_PATH, type Health, type HealthCheck } from '../../../../shared/protocol/api/system/health.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { setPageQuery } from '../../../../shared/ui/frame/pageQuery.ts';
import { planGateway, renderPage, settle, watchWarnings } from '../../../support/browser/renderPage.tsx';
import { json } from '../../../support/fakes/fakeGateway.ts';
import { fakeSockets } from '../../../support/fakes/fakeSocket.ts';

const GIGABYTE = 1_000_000_000;
const WEB: HealthCheck = {
  id: 'ports/web',
  kind: 'ports',
  subject: 'web',
  state: 'ok',
  values: [{ name: 'port', unit: 'number', value: 8_443, limit: null }],
  advice: '',
};
const RECORDINGS: HealthCheck = {
  id: 'disks/recordings',
  kind: 'disks',
  subject: 'recordings',
  state: 'problem',
  values: [
    { name: 'free', unit: 'bytes', value: 1.5 * GIGABYTE, limit: { bound: 'least', value: 10 * GIGABYTE } },
    { name: 'days-until-full', unit: 'days', value: null, limit: { bound: 'least', value: 14 } },
  ],
  advice: 'free-disk',
};
const MAIN: HealthCheck = {
  id: 'threads/main',
  kind: 'threads',
  subject: 'main',
  state: 'ok',
  values: [{ name: 'longest-pause', unit: 'milliseconds', value: 42.4, limit: { bound: 'most', value: 500 } }],
  advice: '',
};
const TRACKS: HealthCheck = {
  ...MAIN,
  id: 'threads/tracks',
  subject: 'tracks',
  values: [{ name: 'longest-pause', unit: 'milliseconds', value: null, limit: { bound: 'most', value: 30_000 } }],
};
const NODE: HealthCheck = {
  id: 'runtime',
  kind: 'runtime',
  subject: '',
  state: 'warning',
  values: [
    { name: 'release-line', unit: 'number', value: 20, limit: null },
    { name: 'supported-until', unit: 'date', value: Date.UTC(2026, 3, 30), limit: null },
  ],
  advice: 'renew-node',
};
const table = (name: string, bytes: number): HealthCheck => ({
  id: `tables/${name}`,
  kind: 'tables',
  subject: name,
  state: 'ok',
  values: [
    { name: 'rows', unit: 'count', value: 12_345, limit: null },
    { name: 'size', unit: 'bytes', value: bytes, limit: null },
  ],
  advice: '',
});
const TABLES = Array.from({ length: 12 }, (_, at) => table(`t${at}`, at * 1_000));

async function open(locale: 'en' | 'zh-TW' | 'jp' = 'en') {
  const gateway = planGateway({ user: { permission: ['system', 'gmsversion'], timezone: 'Asia/Taipei' } });
  const checks = [WEB, RECORDINGS, ...TABLES, MAIN, TRACKS, NODE];
  const health: Health = { checkedAtMs: wallMs(Date.UTC(2026, 10, 27, 16)), state: 'problem', checks };
  gateway.on(`GET ${HEALTH_PATH}`, { error: false, data: health });
  fakeSockets();
  setPageQuery('?tab=health', 'replace');
  onTestFinished(() => setPageQuery('', 'replace'));
  await renderPage(<VersionPage />, locale);
  await settle();
  return { gateway, user: userEvent.setup() };
}

const section = async (name: string) => within(await screen.findByRole('region', { name }));
const tables = async () => (await section('Tables')).getAllByRole('listitem').map((item) => item.textContent);

describe('the health of the installation (S-2.4.16)', () => {
  test('shows each check with its numbers, and what to do where something is wrong', async () => {
    await open();
    const disks = await section('Disks');
    disks.getByText('Free: 1.5 GB (at least 10.0 GB)');
    disks.getByText('Free space on the disk, or use a larger one.');
    expect(disks.getAllByText('Problem')).toHaveLength(2);
    const ports = await section('Ports');
    ports.getByText('Port: 8443');
    expect(ports.getAllByText('OK')).toHaveLength(1);
    const threads = await section('Threads');
    threads.getByText('Longest pause in the last hour: 42 ms (at most 500 ms)');
    threads.getByText('Not needed in the last hour');
    screen.getByText('Checked at 2026-11-28 00:00:00');
    expect(screen.queryByRole('region', { name: 'Queues' })).toBeNull();
  });

  test.each([
    ['en', 'Node.js version', 'In use: 20 · Security fixes until: 2026-04-30', /no longer gets security fixes/],
    ['zh-TW', 'Node.js 版本', '使用中: 20 · 安全性修正提供至: 2026-04-30', /已不再提供安全性修正/],
    ['jp', 'Node.js のバージョン', '使用中: 20 · セキュリティ修正の提供期限: 2026-04-30', /提供されなくなりました/],
  ] as const)('warns of a Node past its end of life: %s', async (locale, title, figures, advice) => {
    await open(locale);
    const runtime = await section(title);
    runtime.getByText(figures);
    runtime.getByText(advice);
  });

  test('shows the largest tables, and all when they are asked for', async () => {
    const { user } = await open();
    expect(await tables()).toHaveLength(8);
    expect((await tables())[0]).toBe('t11Rows: 12,345 · Size: 11.0 kB');
    await user.click(screen.getByText('Show all (4 more)'));
    expect(await tables()).toHaveLength(12);
    expect((await tables()).at(-1)).toBe('t0Rows: 12,345 · Size: 0 B');
  });

  test('is there in other languages', async () => {
    await open('jp');
    const disks = await section('ディスク');
    disks.getByText('空き容量: 1.5 GB (10.0 GB 以上)');
  });

  test('says so when it cannot be asked for', async () => {
    watchWarnings();
    const { gateway } = await open();
    gateway.on(`GET ${HEALTH_PATH}`, () => json({ error: true, code: 'internal', message: 'x' }, { status: 500 }));
    window.dispatchEvent(new Event('visibilitychange'));
    await waitFor(() => expect(screen.getByRole('alert')).toBeDefined());
    (await section('Disks')).getByText('Free: 1.5 GB (at least 10.0 GB)');
  });
});
