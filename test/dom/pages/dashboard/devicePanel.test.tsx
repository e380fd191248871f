// What the panel of a device says of its data plan.
import { screen, within } from '@testing-library/react';
import { createRef } from 'react';
import { describe, expect, it } from 'vitest';
import { DevicePanel } from '../../../../pages/innerpage/dashboard/panel/DevicePanel.tsx';
import { EVENT_TYPE_NAMES_PATH } from '../../../../shared/protocol/api/eventTypes.ts';
import { type LiveDevice, NO_ALARM } from '../../../../shared/protocol/api/liveUpdates.ts';
import { NETFLOW_USE_PATH } from '../../../../shared/protocol/api/netflow/netflow.ts';
import { Frame } from '../../../../shared/ui/frame/Frame.tsx';
import { planGateway, renderPage, settle } from '../../../support/browser/renderPage.tsx';
import { EVENT_WORDS } from '../../../support/eventWords.ts';

const DEVICE: LiveDevice = {
  id: 'BUS1',
  name: 'Bus 1',
  plate: '',
  terminal: '',
  group: 1,
  groupName: 'Depot',
  chn: 2,
  state: 'online',
  isMoving: false,
  ...NO_ALARM,
  videoLoss: false,
  at: 0,
  seenAt: 0,
  lat: null,
  lng: null,
  speedKmh: 0,
  heading: 0,
};

async function openPanel(permission: readonly string[], planVideo?: string, device: LiveDevice = DEVICE) {
  const gateway = planGateway({ user: { permission } });
  const channels = { chn: 2, installchs: '11', livechs: '10', ptzchs: '00', talkchs: '00' };
  gateway.on('GET /api/dashboard/device', {
    error: false,
    data: { deviceid: 'BUS1', name: '', plate: '', ...channels, planVideo },
  });
  gateway.on(`GET ${NETFLOW_USE_PATH}`, {
    error: false,
    data: { steps: [1, 2].map((at) => ({ fromMs: at, kinds: [1_000_000, 250_000, 0, 0, 0, 0, 0, 0, 0] })), top: [] },
  });
  gateway.on(`GET ${EVENT_TYPE_NAMES_PATH}`, { error: false, data: EVENT_WORDS });
  const panel = { ref: createRef<HTMLElement>(), isFollowing: false, takesFocus: false };
  const nothing = () => undefined;
  await renderPage(
    <Frame title="Dashboard">
      {() => <DevicePanel {...panel} device={device} onFollow={nothing} onClose={nothing} />}
    </Frame>,
  );
  await settle();
  return gateway;
}

describe('the panel of a device (S-2.4.9)', () => {
  it('says what it has used today to those who may see it', async () => {
    const gateway = await openPanel(['netflow']);
    expect(screen.getByText('Data used today').nextElementSibling?.textContent).toBe('2.5 MB');
    expect(gateway.callsOf(NETFLOW_USE_PATH)).toHaveLength(1);
  });

  it('neither shows nor asks for it otherwise', async () => {
    const gateway = await openPanel(['event']);
    expect(screen.queryByText('Data used today')).toBeNull();
    expect(gateway.callsOf(NETFLOW_USE_PATH)).toHaveLength(0);
  });

  it('says that a data plan leaves no video, or sub streams alone', async () => {
    await openPanel([], 'none');
    expect(screen.getByText(/^The data plan is used up\. There is no live video/)).toBeDefined();
    const states = [...document.querySelectorAll('[data-channel-state]')];
    expect(states.map((each) => each.getAttribute('data-channel-state'))).toEqual(['withheld', 'lost']);
  });

  it('says that sub streams are left, and nothing while the plan lasts', async () => {
    await openPanel([], 'sub');
    expect(screen.getByText(/^The data plan is used up\. Only sub streams/)).toBeDefined();
  });
});

describe('the panel of a device in alarm', () => {
  const ALARM = {
    inAlarm: true,
    alarmType: 'collision',
    alarmSeverity: 'critical',
    alarmSince: 1_795_000_000_000,
  } as const;
  const section = () => within(screen.getByRole('region', { name: 'In alarm' }));

  it('says which event it is, how bad and since when, and leads to the open events and to those not acknowledged', async () => {
    await openPanel(['event'], undefined, { ...DEVICE, ...ALARM });
    expect(section().getByText('Collision')).toBeDefined();
    expect(section().getByText('Critical')).toBeDefined();
    expect(section().getByText(/^Since 2026-11-\d\d \d\d:\d\d:\d\d$/)).toBeDefined();
    const hrefs = section()
      .getAllByRole('link')
      .map((link) => new URL(link.getAttribute('href') ?? '', window.location.origin));
    expect(hrefs.map(({ searchParams }) => [searchParams.get('devices'), searchParams.get('statuses')])).toEqual([
      ['BUS1', 'new,acknowledged,in-progress'],
      ['BUS1', 'new'],
    ]);
  });

  it('has no links for those who may not see events', async () => {
    await openPanel([], undefined, { ...DEVICE, ...ALARM });
    expect(section().getByText('Collision')).toBeDefined();
    expect(section().queryAllByRole('link')).toEqual([]);
  });
});
