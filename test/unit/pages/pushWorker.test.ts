import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { beforeEach, describe, expect, it } from 'vitest';

const source = readFileSync(join(import.meta.dirname, '../../../public/push-worker.js'), 'utf8');
const ORIGIN = 'https://fleet.example';

interface Shown {
  readonly title: string;
  readonly options: { readonly body: string; readonly tag: string; readonly data: { readonly link: string } };
}

/** A browser's side of a service worker. */
function startWorker() {
  const listeners = new Map<string, (event: unknown) => void>();
  const shown: Shown[] = [];
  const opened: string[] = [];
  const windows: { readonly url: string; readonly frameType: string; readonly focus: () => void }[] = [];
  const self = {
    location: { origin: ORIGIN },
    addEventListener: (type: string, listener: (event: unknown) => void) => void listeners.set(type, listener),
    skipWaiting: () => undefined,
    registration: {
      showNotification: async (title: string, options: Shown['options']) => void shown.push({ title, options }),
    },
    clients: {
      matchAll: async () => windows,
      openWindow: async (link: string) => void opened.push(link),
    },
  };
  runInNewContext(source, { self, URL });
  const fire = async (type: string, event: object): Promise<void> => {
    const work: Promise<unknown>[] = [];
    listeners.get(type)?.({ ...event, waitUntil: (promise: Promise<unknown>) => void work.push(promise) });
    await Promise.all(work);
  };
  const push = (text: string | undefined): Promise<void> =>
    fire('push', { data: text === undefined ? null : { json: () => JSON.parse(text) as unknown } });
  const click = async (): Promise<void> => {
    const { data } = shown.at(-1)?.options ?? {};
    await fire('notificationclick', { notification: { data, close: () => undefined } });
  };
  return { shown, opened, windows, push, click };
}

let worker: ReturnType<typeof startWorker>;
beforeEach(() => {
  worker = startWorker();
});

const LINK = `${ORIGIN}/historyevent?event=7`;

describe('a pushed message', () => {
  it('is shown, and a click on it opens its link', async () => {
    await worker.push(JSON.stringify({ title: 'Speeding', body: 'Bus 1', link: LINK, key: 'k' }));
    expect(worker.shown).toMatchObject([{ title: 'Speeding', options: { body: 'Bus 1', tag: 'k' } }]);
    await worker.click();
    expect(worker.opened).toEqual([LINK]);
  });

  it('that is opened already is brought to the front', async () => {
    let focused = 0;
    const focus = (): void => void focused++;
    worker.windows.push({ url: LINK, frameType: 'nested', focus: () => expect.unreachable() });
    worker.windows.push({ url: LINK, frameType: 'top-level', focus });
    await worker.push(JSON.stringify({ title: 'Speeding', body: '', link: LINK, key: 'k' }));
    await worker.click();
    expect([focused, worker.opened]).toEqual([1, []]);
  });

  it.each(['https://evil.example/', 'javascript:alert(1)', '//evil.example/', 'https://', ''])(
    'with the link %j leads to this site all the same',
    async (link) => {
      await worker.push(JSON.stringify({ title: 'a', body: 'b', link, key: 'k' }));
      await worker.click();
      expect(worker.opened).toEqual([`${ORIGIN}/`]);
    },
  );

  it.each([undefined, 'no JSON', '[]', '{"title":7,"body":null}'])('that is %j is shown as something', async (text) => {
    await worker.push(text);
    expect(worker.shown).toMatchObject([{ title: 'Fleetglass', options: { body: '' } }]);
  });
});
