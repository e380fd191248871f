// The service worker of notifications as the gateway serves it to a browser. What it does with a message is tested by itself.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type NotifyScene, startNotifyScene } from './notifyScene.ts';

let scene: NotifyScene;
beforeAll(async () => {
  scene = await startNotifyScene();
});
afterAll(() => scene?.close());

test('the service worker of notifications is taken for the whole site', async () => {
  const page = await scene.openPage('mei', '/innerpage/account.html', { fresh: true });
  const { address } = scene.product;
  const file = await page.request.get(`${address}/push-worker.js`);
  // A browser takes nothing but a script for a worker, and asks for a newer one each day.
  expect(file.headers()).toMatchObject({
    'content-type': expect.stringContaining('javascript'),
    'cache-control': 'no-cache',
  });
  const ready = await page.evaluate(async () => {
    await navigator.serviceWorker.register('/push-worker.js', { scope: '/' });
    const { scope, active } = await navigator.serviceWorker.ready;
    return { scope, script: active?.scriptURL };
  });
  expect(ready).toEqual({ scope: `${address}/`, script: `${address}/push-worker.js` });
});
