// The service worker of notifications as the gateway serves it: what is pushed is shown, and a click leads to the event.
import type { CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitFor } from '../../../support/waitFor.ts';
import { type NotifyScene, startNotifyScene } from './notifyScene.ts';

const KEY = '0f8fad5b-d9cb-469f-a165-70867728950e';

let scene: NotifyScene;
beforeAll(async () => {
  scene = await startNotifyScene();
});
afterAll(() => scene?.close());

interface Worker {
  readonly session: CDPSession;
  readonly registrationId: string;
}

/** Registers the worker as the account page does, and gives what the browser calls the registration. */
async function register(page: Page): Promise<Worker> {
  const session = await page.context().newCDPSession(page);
  const ids: string[] = [];
  session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
    ids.push(...registrations.map(({ registrationId }) => registrationId));
  });
  await session.send('ServiceWorker.enable');
  const scope = await page.evaluate(async () => {
    await navigator.serviceWorker.register('/push-worker.js', { scope: '/' });
    return (await navigator.serviceWorker.ready).scope;
  });
  expect(scope).toBe(`${scene.product.address}/`);
  const registrationId = await waitFor(
    'the registration',
    async () => ids.at(-1) ?? '',
    (id) => id !== '',
  );
  return { session, registrationId };
}

/** Notifications of the site that are shown now. */
const shown = (page: Page) =>
  page.evaluate(async () => {
    const all = await (await navigator.serviceWorker.ready).getNotifications();
    return all.map(({ title, body, tag, data }) => ({ title, body, tag, link: data.link as string }));
  });

test('what is pushed is shown once, with the link to its event, and nothing of another site', async () => {
  const page = await scene.openPage('mei', '/innerpage/account.html', { fresh: true });
  const { address } = scene.product;
  await page.context().grantPermissions(['notifications'], { origin: address });
  const file = await page.request.get(`${address}/push-worker.js`);
  // A browser takes nothing but a script for a worker, and asks for a newer one each day.
  expect(file.headers()).toMatchObject({
    'content-type': expect.stringContaining('javascript'),
    'cache-control': 'no-cache',
  });
  const { session, registrationId } = await register(page);
  const deliver = (message: object) =>
    session.send('ServiceWorker.deliverPushMessage', {
      origin: address,
      registrationId,
      data: JSON.stringify(message),
    });

  const link = `${address}/historyevent?event=7`;
  const message = { title: 'Speeding: Bus 1', body: 'Bus 1 drives 94 km/h.', link, key: KEY };
  await deliver(message);
  await waitFor(
    'the notification',
    () => shown(page),
    (all) => all.length === 1,
  );
  // A repeat takes the place of the first.
  await deliver({ ...message, body: 'again' });
  await waitFor(
    'the repeat',
    () => shown(page),
    ([first]) => first?.body === 'again',
  );
  expect(await shown(page)).toEqual([{ title: message.title, body: 'again', tag: KEY, link }]);

  await deliver({ ...message, key: 'other', link: 'https://elsewhere.example/' });
  const all = await waitFor(
    'the second notification',
    () => shown(page),
    (found) => found.length === 2,
  );
  expect(all.find(({ tag }) => tag === 'other')?.link).toBe(`${address}/`);
});
