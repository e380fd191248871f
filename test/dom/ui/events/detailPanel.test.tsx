import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  DEVICE_ORDER_PATH,
  DEVICE_QUESTION_PATH,
  DEVICE_TEXT_PATH,
} from '../../../../shared/protocol/api/deviceOrders.ts';
import { EVENT_MEDIA_PATH, type EventMedia } from '../../../../shared/protocol/api/eventMedia.ts';
import { EVENTS_PATH, type EventDetail, type EventRow } from '../../../../shared/protocol/api/events.ts';
import { EVENT_TRACK_SPAN_MS } from '../../../../shared/protocol/api/eventTrack.ts';
import { EVENT_TYPE_NAMES_PATH } from '../../../../shared/protocol/api/eventTypes.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { UserZoneContext } from '../../../../shared/time/userZone.ts';
import { EventDetailPanel } from '../../../../shared/ui/events/EventDetailPanel.tsx';
import type { EventActs } from '../../../../shared/ui/events/useEventActs.tsx';
import type { VideoMode } from '../../../../shared/ui/events/video/eventChannels.ts';
import { RecordsProvider } from '../../../../shared/ui/records/RecordsProvider.tsx';
import {
  planGateway,
  renderPage,
  settle,
  setWindowWidth,
  watchWarnings,
} from '../../../support/browser/renderPage.tsx';
import { EVENT_BEGIN_MS, eventRow } from '../../../support/eventRow.ts';
import { json } from '../../../support/fakes/fakeGateway.ts';
import { type FakeSocket, fakeSockets } from '../../../support/fakes/fakeSocket.ts';
import { insertText } from '../../insertText.ts';

const EVENT = eventRow({ id: 7, lat: null, lng: null, status: 'in-progress', assignee: 'mei', late: true });
const DETAIL: EventDetail = {
  event: EVENT,
  steps: [
    {
      id: 1,
      atMs: wallMs(EVENT_BEGIN_MS + 60_000),
      user: 'kai',
      act: 'acknowledge',
      from: 'new',
      to: 'acknowledged',
      assignee: '',
      reason: '',
      note: '',
    },
    {
      id: 2,
      atMs: wallMs(EVENT_BEGIN_MS + 90_000),
      user: 'kai',
      act: 'assign',
      from: 'acknowledged',
      to: 'in-progress',
      assignee: 'mei',
      reason: '',
      note: 'Called <b>him</b>.',
    },
  ],
  endLat: 25.05,
  endLng: 121.55,
  endSpeedKmh: 0,
  endHeading: 0,
  alarmMark: '',
};

interface Planned {
  readonly event?: EventRow;
  readonly talkchs?: string;
  readonly width?: number;
  /** No answer comes to what is asked of the event. */
  readonly isAway?: boolean;
  readonly media?: readonly EventMedia[] | 'away';
  readonly permission?: readonly string[];
}

async function openPanel({
  event = EVENT,
  talkchs = '10',
  width = 1440,
  isAway = false,
  media = [],
  permission = ['event', 'talk', 'devicetext'],
}: Planned = {}) {
  setWindowWidth(width);
  const gateway = planGateway({ user: { permission } });
  const sockets = fakeSockets();
  gateway.on(`GET ${EVENT_TYPE_NAMES_PATH}`, { error: false, data: { types: [], reasons: [] } });
  gateway.on(`GET ${EVENTS_PATH}/${event.id}`, () =>
    isAway ? new TypeError('away') : json({ error: false, data: { ...DETAIL, event } }),
  );
  gateway.on(`GET ${EVENTS_PATH}/${event.id}/track`, { error: false, data: [] });
  gateway.on(`GET ${EVENTS_PATH}/${event.id}/media`, () =>
    media === 'away' ? new TypeError('away') : json({ error: false, data: media }),
  );
  gateway.on(`GET ${EVENT_MEDIA_PATH}/${PICTURE.id}`, () => new Response('JPG', { status: 206 }));
  const channels = { chn: 2, installchs: '11', livechs: '11', ptzchs: '00', talkchs };
  gateway.on('GET /api/dashboard/device', {
    error: false,
    data: { deviceid: 'BUS1', name: '', plate: '', ...channels },
  });
  // The map never comes: this browser has no WebGL to draw one.
  gateway.on('GET /api/dashboard/map', () => new Promise(() => undefined));
  const start = vi.fn<EventActs['start']>();
  const acts: EventActs = { start, isAsking: false, isBusy: false, dialog: null };
  const onClose = vi.fn();
  await renderPage(
    <RecordsProvider>
      <UserZoneContext value="Asia/Taipei">
        <Panel event={event} acts={acts} onClose={onClose} />
      </UserZoneContext>
    </RecordsProvider>,
  );
  await settle();
  return { gateway, start, onClose, line: () => sockets.at(-1) ?? expect.fail('there is no line') };
}

/** What the gateway's line says: where the list begins, and then of events. */
function speak(line: FakeSocket) {
  let revision = 0;
  const tell = (what: object) => line.tell({ type: 'events', revision: ++revision, ...what });
  line.open();
  tell({ reload: true });
  return { events: (...events: readonly EventRow[]) => tell({ events }), reload: () => tell({ reload: true }) };
}

function Panel(props: { readonly event: EventRow; readonly acts: EventActs; readonly onClose: () => void }) {
  const [video, setVideo] = useState<VideoMode>();
  return <EventDetailPanel {...props} video={video} onVideo={setVideo} />;
}

describe('the detail panel', () => {
  test('says how the event stands, and what was done about it', async () => {
    await openPanel();
    const panel = within(screen.getByRole('region', { name: 'Speeding' }));
    panel.getByText('Lake line 1 · KAA-0001');
    panel.getByText('In progress');
    panel.getByText('Late');
    const steps = within(panel.getByRole('region', { name: 'History' })).getAllByRole('listitem');
    expect(steps.map(({ textContent }) => textContent)).toEqual([
      'Acknowledgedkai · 2026-11-23 16:31:00',
      'Assigned to meikai · 2026-11-23 16:31:30Called <b>him</b>.',
    ]);
  });

  test('offers what the status allows', async () => {
    const { start } = await openPanel();
    expect(screen.queryByRole('button', { name: 'Acknowledge' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Reopen' })).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'False alarm' }));
    expect(start.mock.calls).toEqual([['false-alarm', [EVENT]]]);
  });

  test('takes the window where it is narrow, and is closed there', async () => {
    const { onClose } = await openPanel({ width: 360 });
    const sheet = screen.getByRole('dialog', { name: 'Speeding' });
    await userEvent.click(within(sheet).getByRole('button', { name: 'Close' }));
    expect(onClose).toHaveBeenCalledOnce();
  });

  test('of an event of the server itself has neither pictures nor a map', async () => {
    const event = eventRow({ id: 9, type: 'disk-full', deviceid: '', deviceName: '', plate: '', lat: null, lng: null });
    await openPanel({ event });
    screen.getByRole('region', { name: 'Recording disk full' });
    expect(screen.queryByRole('region', { name: 'Video' })).toBeNull();
    expect(document.querySelector('[data-map]')).toBeNull();
  });

  test('says why the history could not be loaded, and loads it again', async () => {
    watchWarnings();
    const { gateway } = await openPanel({ isAway: true });
    const history = within(screen.getByRole('region', { name: 'History' }));
    gateway.on(`GET ${EVENTS_PATH}/${EVENT.id}`, { error: false, data: DETAIL });
    await userEvent.click(history.getByRole('button', { name: 'Try again' }));
    expect(await history.findAllByRole('listitem')).toHaveLength(2);
    expect(history.queryByRole('alert')).toBeNull();
  });
});

describe('an event that goes on while it is looked at', () => {
  const fact = (name: string) => screen.getByText(name, { selector: 'dt' }).nextElementSibling?.textContent;

  test('is shown as the live line tells it, with what is to be loaded of it', async () => {
    const { gateway, line } = await openPanel();
    const tell = speak(line());
    expect(gateway.callsOf(`${EVENTS_PATH}/${EVENT.id}`)).toHaveLength(1);
    // The detail that was loaded has a last place already.
    expect(screen.queryByText(/at the end$/)).toBeNull();
    const ended = { ...EVENT, endAtMs: wallMs(EVENT_BEGIN_MS + 65_000), lastSeenAtMs: wallMs(EVENT_BEGIN_MS + 64_000) };
    const end = { endLat: 25.05, endLng: 121.5, endSpeedKmh: 61, endHeading: 45 };
    gateway.on(`GET ${EVENTS_PATH}/${EVENT.id}`, { error: false, data: { ...DETAIL, event: ended, ...end } });
    tell.events(eventRow({ id: 8 }), ended);
    expect(fact('Duration')).toBe('1 min 5 s');
    await waitFor(() => expect(fact('Speed at the end')).toBe('61 km/h · 45°'));
  });

  test('shows each picture as it comes, though nothing else of the event changes', async () => {
    const { gateway, line } = await openPanel({ media: [] });
    const tell = speak(line());
    expect(screen.queryByRole('region', { name: 'Evidence' })).toBeNull();
    gateway.on(`GET ${EVENTS_PATH}/${EVENT.id}/media`, { error: false, data: [PICTURE] });
    tell.events({ ...EVENT });
    await screen.findByRole('img', { name: 'Snapshot · ch 2' });
  });

  test('has its track followed until it is as long as it gets', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'], now: EVENT_BEGIN_MS + 60_000 });
    onTestFinished(() => void vi.useRealTimers());
    const { gateway } = await openPanel();
    const pass = async (ms: number) => {
      vi.advanceTimersByTime(ms);
      await settle();
      return gateway.callsOf(`${EVENTS_PATH}/${EVENT.id}/track`).length;
    };
    expect(await pass(0)).toBe(1);
    expect(await pass(30_000)).toBe(2);
    const whole = await pass(EVENT_TRACK_SPAN_MS);
    expect(await pass(EVENT_TRACK_SPAN_MS)).toBe(whole);
  });

  test('is loaded again after a break of the line', async () => {
    const { gateway, line } = await openPanel();
    const tell = speak(line());
    const closed = { ...EVENT, version: 2, status: 'closed' as const };
    gateway.on(`GET ${EVENTS_PATH}/${EVENT.id}`, { error: false, data: { ...DETAIL, event: closed } });
    tell.reload();
    await screen.findByRole('button', { name: 'Reopen' });
  });
});

const FILE: EventMedia = {
  id: 5,
  kind: 'attachment',
  state: 'stored',
  channel: 0,
  name: '../00_65.mp4',
  contentType: 'video/mp4',
  bytes: 1_250_000,
  sha256: 'ab',
  takenAtMs: wallMs(0),
  requestedAtMs: wallMs(0),
  storedAtMs: wallMs(0),
};
const PICTURE: EventMedia = { ...FILE, id: 4, kind: 'snapshot', channel: 2, contentType: 'image/jpeg', bytes: 3 };

/** The element comes into view when it is told to. */
function fakeView(): { readonly show: () => void } {
  const shown: (() => void)[] = [];
  class FakeIntersectionObserver {
    constructor(onChange: (entries: readonly { isIntersecting: boolean }[]) => void) {
      shown.push(() => onChange([{ isIntersecting: true }]));
    }
    observe(): void {}
    disconnect(): void {}
  }
  vi.stubGlobal('IntersectionObserver', FakeIntersectionObserver);
  onTestFinished(() => void vi.unstubAllGlobals());
  const show = () => {
    for (const each of shown.splice(0)) each();
  };
  return { show: () => act(show) };
}

describe('what is kept of an event', () => {
  test('are pictures to look at, and files with how they fare', async () => {
    const lost = { ...FILE, id: 6, kind: 'snapshot', state: 'failed', channel: 1, contentType: '', bytes: 0 } as const;
    const clip = { ...FILE, id: 7, kind: 'clip', state: 'failed', name: 'no-room', contentType: '' } as const;
    const view = fakeView();
    const cut = { ...FILE, id: 8, state: 'incomplete', name: 'cut.jpg', contentType: 'image/jpeg' } as const;
    const { gateway } = await openPanel({ media: [PICTURE, FILE, lost, clip, cut] });
    const part = within(screen.getByRole('region', { name: 'Evidence' }));
    expect(part.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      '../00_65.mp41.3 MB',
      'Snapshot · ch 1Not received',
      'ClipNo space for the clip',
      'cut.jpgIncomplete, 1.3 MB',
    ]);
    part.getByRole('button', { name: 'Download cut.jpg' });
    part.getByRole('button', { name: 'Download ../00_65.mp4' });
    const isLoaded = () => gateway.callsOf(`${EVENT_MEDIA_PATH}/${PICTURE.id}`).length > 0;
    expect(isLoaded(), 'out of view').toBe(false);
    view.show();
    await userEvent.click(await part.findByRole('button', { name: 'Enlarge Snapshot · ch 2' }));
    expect(isLoaded()).toBe(true);
    screen.getByRole('img', { name: 'Snapshot · ch 2' });
  });

  test('says of a picture whose end is missing that it is incomplete', async () => {
    const view = fakeView();
    await openPanel({ media: [{ ...PICTURE, state: 'incomplete' }] });
    screen.getByRole('img', { name: 'Incomplete snapshot · ch 2' });
    view.show();
    await screen.findByRole('button', { name: 'Enlarge Incomplete snapshot · ch 2' });
    screen.getByText('Incomplete');
  });

  test('says why its list could not be loaded, and loads it again', async () => {
    watchWarnings();
    const { gateway } = await openPanel({ media: 'away' });
    const part = within(screen.getByRole('region', { name: 'Evidence' }));
    expect(part.getByRole('alert').textContent).toMatch(/^Can't reach the server/);
    gateway.on(`GET ${EVENTS_PATH}/${EVENT.id}/media`, { error: false, data: [FILE] });
    await userEvent.click(part.getByRole('button', { name: 'Try again' }));
    expect(await part.findAllByRole('listitem')).toHaveLength(1);
    expect(part.queryByRole('alert')).toBeNull();
  });

  test('is offered as a package to whoever may take evidence away', async () => {
    await openPanel({ permission: ['event', 'evidence'] });
    screen.getByRole('button', { name: 'Evidence package' });
  });

  test('is offered as a package to nobody else', async () => {
    await openPanel({ permission: ['event'] });
    expect(screen.queryByRole('region', { name: 'Evidence' })).toBeNull();
  });
});

describe('the way to the driver', () => {
  test('is there for devices that can be talked to', async () => {
    await openPanel();
    screen.getByRole('button', { name: 'Talk' });
    screen.getByRole('button', { name: 'Text driver' });
  });

  test.each([
    [['event', 'talk'], ['Talk']],
    [['event', 'devicetext'], ['Text driver']],
    [['event', 'system', 'devicegroup', 'link'], []],
  ])('is there for members with %j as far as they may', async (permission, names) => {
    await openPanel({ permission });
    screen.getByRole('button', { name: 'Live view' });
    expect(['Talk', 'Text driver'].filter((name) => screen.queryByRole('button', { name }) !== null)).toEqual(names);
  });

  test('is not there for others', async () => {
    await openPanel({ talkchs: '00' });
    screen.getByRole('button', { name: 'Recording' });
    expect(screen.queryByRole('button', { name: 'Talk' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Text driver' })).toBeNull();
  });

  test('takes a text, and keeps it when it could not be sent', async () => {
    watchWarnings();
    const { gateway } = await openPanel();
    let isAway = true;
    let isOnline = true;
    gateway.on(`POST ${DEVICE_TEXT_PATH}`, () =>
      isAway
        ? json({ error: true, code: 'too-many-orders', message: 'Too many.' }, { status: 429 })
        : json({ error: false, data: { order: 1, isOnline } }),
    );
    await userEvent.click(screen.getByRole('button', { name: 'Text driver' }));
    const dialog = within(screen.getByRole('dialog', { name: 'Text to the driver of Lake line 1' }));
    await userEvent.click(dialog.getByRole('switch', { name: 'Urgent' }));
    await userEvent.click(dialog.getByRole('button', { name: 'Send' }));
    dialog.getByText('Enter a text.');
    await insertText(userEvent, dialog.getByRole('textbox', { name: /Text/ }), '5 € 😀');
    dialog.getByText("Terminals can't show € 😀. They get ? instead.");
    await userEvent.clear(dialog.getByRole('textbox', { name: /Text/ }));
    await insertText(userEvent, dialog.getByRole('textbox', { name: /Text/ }), 'Please stop.');
    await userEvent.click(dialog.getByRole('button', { name: 'Send' }));
    await dialog.findByRole('alert');
    expect((dialog.getByRole('textbox', { name: /Text/ }) as HTMLTextAreaElement).value).toBe('Please stop.');
    isAway = false;
    await userEvent.click(dialog.getByRole('button', { name: 'Send' }));
    await screen.findByText('Text sent to Lake line 1.');
    const sent = { deviceid: 'BUS1', text: 'Please stop.', speech: true, urgent: true };
    expect(gateway.callsOf(DEVICE_TEXT_PATH).map(({ body }) => body)).toEqual([sent, sent]);
    isOnline = false;
    await userEvent.click(screen.getByRole('button', { name: 'Text driver' }));
    const again = within(screen.getByRole('dialog', { name: 'Text to the driver of Lake line 1' }));
    await insertText(userEvent, again.getByRole('textbox', { name: /Text/ }), 'Please go.');
    await userEvent.click(again.getByRole('button', { name: 'Send' }));
    await screen.findByText('Lake line 1 is offline. The text is sent if it connects within 5 minutes.');
  });

  test('takes a question, and shows what the driver answers', async () => {
    const { gateway } = await openPanel();
    let outcome: object = { order: 4, state: 'done', answer: '', answeredAtMs: 0 };
    gateway.on(`POST ${DEVICE_QUESTION_PATH}`, () => json({ error: false, data: { order: 4, isOnline: true } }));
    gateway.on(`GET ${DEVICE_ORDER_PATH}`, () => json({ error: false, data: outcome }));
    await userEvent.click(screen.getByRole('button', { name: 'Text driver' }));
    await userEvent.click(screen.getByRole('button', { name: 'Ask a question' }));
    const name = 'Question to the driver of Lake line 1';
    const dialog = within(screen.getByRole('dialog', { name }));
    await insertText(userEvent, dialog.getByRole('textbox', { name: /Question/ }), 'Enough fuel?');
    await insertText(userEvent, dialog.getByRole('textbox', { name: /Answers/ }), 'Yes');
    await userEvent.click(dialog.getByRole('button', { name: 'Send' }));
    dialog.getByText('Enter 2 to 8 answers of at most 40 characters.');
    await userEvent.type(dialog.getByRole('textbox', { name: /Answers/ }), '\n No \n');
    await userEvent.click(dialog.getByRole('button', { name: 'Send' }));
    await screen.findByText('The question was sent. Waiting for the answer of the driver.');
    outcome = { order: 4, state: 'done', answer: 'No', answeredAtMs: 5 };
    await screen.findByText('The driver answered: No', {}, { timeout: 5_000 });
    const [call] = gateway.callsOf(DEVICE_QUESTION_PATH);
    expect(call?.body).toEqual({ deviceid: 'BUS1', text: 'Enough fuel?', answers: ['Yes', 'No'], speech: true });
  });
});
