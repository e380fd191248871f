import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';
import { NotificationsPart } from '../../../../pages/innerpage/account/notify/NotificationsPart.tsx';
import {
  OWN_NOTIFY_PATH,
  OWN_PUSH_PATH,
  type OwnNotify,
  type OwnNotifyContent,
} from '../../../../shared/protocol/api/notify/ownNotify.ts';
import { Frame } from '../../../../shared/ui/frame/Frame.tsx';
import { noticeOf } from '../../../support/browser/notices.ts';
import { planGateway, renderPage, settle, watchWarnings } from '../../../support/browser/renderPage.tsx';
import { json } from '../../../support/fakes/fakeGateway.ts';
import { browserOf, type FakePlatform, fakePlatform, KEY } from '../../../support/fakes/fakePush.ts';
import { fakeSockets } from '../../../support/fakes/fakeSocket.ts';

interface SetUp {
  readonly platform?: FakePlatform;
  readonly pushKey?: string;
  readonly browsers?: OwnNotify['browsers'];
  readonly locale?: 'en' | 'zh-TW' | 'jp';
}

async function open({ platform = fakePlatform(), pushKey = KEY, browsers = [], locale = 'en' }: SetUp = {}) {
  const gateway = planGateway();
  let own: OwnNotify = {
    email: 'mei@example.com',
    phone: '',
    channels: ['email', 'push'],
    quietHours: [],
    messageLanguage: '',
    pushKey,
    browsers,
  };
  gateway.on(`GET ${OWN_NOTIFY_PATH}`, () => json({ error: false, data: own }));
  gateway.on(`PUT ${OWN_NOTIFY_PATH}`, ({ body }) => {
    own = { ...own, ...(body as OwnNotifyContent) };
    return json({ error: false, data: own });
  });
  gateway.on(`POST ${OWN_PUSH_PATH}`, () => {
    own = { ...own, browsers: [...own.browsers, browserOf(9, platform.endpoint)] };
    return json({ error: false, data: {} });
  });
  for (const { id } of [...browsers, { id: 9 }]) {
    gateway.on(`DELETE ${OWN_PUSH_PATH}/${id}`, () => {
      own = { ...own, browsers: own.browsers.filter((browser) => browser.id !== id) };
      return json({ error: false, data: {} });
    });
  }
  fakeSockets();
  await renderPage(<Frame title="Account">{() => <NotificationsPart platform={platform} />}</Frame>, locale);
  await settle();
  return { gateway, platform, stored: () => own, user: userEvent.setup() };
}

describe('how a member is told', () => {
  test('is shown and saved, a number as it is typed and hours for the night', async () => {
    const { stored, user } = await open();
    await user.type(screen.getByLabelText('Phone number'), '+886 912-345-678');
    await user.click(screen.getByLabelText('Text message'));
    await user.click(screen.getByLabelText('Browser notification'));
    await user.click(screen.getByText('Add quiet hours'));
    await user.selectOptions(screen.getByLabelText('Language of messages'), '日本語');
    await user.click(screen.getByText('Save'));
    expect(await noticeOf('Notification settings saved.')).toBe('success');
    expect(stored()).toMatchObject({
      email: 'mei@example.com',
      phone: '+886912345678',
      channels: ['email', 'sms'],
      quietHours: [{ days: [1, 2, 3, 4, 5, 6, 7], fromMinute: 1_320, toMinute: 420 }],
      messageLanguage: 'jp',
    });
  });

  test('is not sent with an address or a number that is none (S-2.3.5)', async () => {
    const { gateway, user } = await open();
    await user.clear(screen.getByLabelText('Email address'));
    await user.type(screen.getByLabelText('Email address'), 'mei');
    await user.type(screen.getByLabelText('Phone number'), '0912');
    await user.click(screen.getByText('Save'));
    await screen.findByText('Enter an email address, such as name@example.com.');
    screen.getByText('Enter a phone number with the country code, such as +886912345678.');
    expect(document.activeElement).toBe(screen.getByLabelText('Email address'));
    expect(gateway.calls.filter(({ method }) => method === 'PUT')).toEqual([]);
  });

  test('is in the language of the user', async () => {
    await open({ locale: 'zh-TW' });
    screen.getByText('勿擾時段');
    screen.getByText('允許此瀏覽器顯示通知');
  });
});

describe('notifications in this browser', () => {
  test.each([
    ['HTTPS', { platform: fakePlatform({ isSecure: false }) }, /need HTTPS/],
    ['a push sender', { pushKey: '' }, /Your administrator can set up a push sender/],
    ['a user who has not blocked them', { platform: fakePlatform({ permission: 'denied' }) }, /This browser blocks/],
  ])('need %s', async (_, setUp, text) => {
    await open(setUp);
    await screen.findByText(text);
    expect(screen.queryByText('Allow notifications in this browser')).toBeNull();
  });

  test('are allowed, and taken back', async () => {
    const { gateway, platform, user } = await open();
    await user.click(await screen.findByText('Allow notifications in this browser'));
    expect(await noticeOf('Notifications are allowed in this browser.')).toBe('success');
    expect(gateway.callsOf(OWN_PUSH_PATH)[0]?.body).toEqual({
      endpoint: platform.endpoint,
      p256dh: 'p256dh',
      auth: 'auth',
    });
    await screen.findByText('This browser shows notifications.');
    const list = within(screen.getByLabelText('Browsers'));
    list.getByText('This browser');
    await user.click(list.getByLabelText('Remove browser: Firefox, Linux'));
    expect(await noticeOf('Browser removed.')).toBe('success');
    await screen.findByText('Allow notifications in this browser');
    expect(platform.asked.at(-1)).not.toBe('permission');
    expect(platform.asked).toContain('unsubscribe');
  });

  test('stay off when the user says no', async () => {
    const { gateway, user } = await open({ platform: fakePlatform({ answer: 'denied' }) });
    await user.click(await screen.findByText('Allow notifications in this browser'));
    expect(await noticeOf('The browser blocked notifications.')).toBe('error');
    await screen.findByText(/This browser blocks notifications/);
    expect(gateway.callsOf(OWN_PUSH_PATH)).toEqual([]);
  });

  test('of another browser are ended there alone', async () => {
    const here = fakePlatform({ permission: 'granted', subscribedFor: KEY });
    const browsers = [browserOf(3, 'https://push.example/other'), browserOf(4, here.endpoint)];
    const { platform, user } = await open({ platform: here, browsers });
    await screen.findByText('This browser shows notifications.');
    await user.click(screen.getAllByLabelText('Remove browser: Firefox, Linux')[0] as HTMLElement);
    await waitFor(() => expect(screen.getAllByLabelText('Remove browser: Firefox, Linux')).toHaveLength(1));
    expect(platform.asked).not.toContain('unsubscribe');
  });

  test('say when the gateway did not take them', async () => {
    watchWarnings();
    const { gateway, user } = await open();
    gateway.on(`POST ${OWN_PUSH_PATH}`, () => json({ error: true, code: 'internal', message: 'x' }, { status: 500 }));
    await user.click(await screen.findByText('Allow notifications in this browser'));
    expect(await noticeOf(/Something went wrong on the server/)).toBe('error');
  });
});
