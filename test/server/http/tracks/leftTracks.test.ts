// A client that leaves, on a real socket: what is read for it ends.
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FENCE_PREVIEW_PATH } from '../../../../shared/protocol/api/fences/fences.ts';
import { fenceContent } from '../../../support/fences.ts';
import { waitFor } from '../../../support/waitFor.ts';
import { createTrackScene, positionOf, START, type TrackScene } from './trackScene.ts';

const SPAN = { from: START, to: START + 86_400_000 };

describe('a client that leaves', () => {
  let scene: TrackScene;
  let address: string;
  beforeEach(async () => {
    scene = await createTrackScene();
    await scene.test.app.listen({ host: '127.0.0.1', port: 0 });
    address = `http://127.0.0.1:${(scene.test.app.server.address() as AddressInfo).port}`;
  });
  afterEach(() => scene.test.close());

  /** Sends a request and leaves when `isDue`; resolves when the gateway knows. */
  async function leave(path: string, cookie: string, { isDue, body }: { isDue: () => boolean; body?: object }) {
    const left = new Promise((resolve) => {
      // How it ends is not asked: a reset is an end too.
      scene.test.app.server.once('connection', (socket: Socket) => socket.once('close', resolve));
    });
    const abort = new AbortController();
    const headers = { cookie, origin: address, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' };
    const request = body === undefined ? { headers } : { headers, method: 'POST', body: JSON.stringify(body) };
    const answer = fetch(`${address}${path}`, { ...request, signal: abort.signal });
    const ended = answer.then((response) => response.arrayBuffer()).catch((error: unknown) => error);
    await waitFor('something is read', isDue, Boolean);
    abort.abort();
    await ended;
    await left;
  }

  /** Positions without an end, none of which is in the span. */
  function readForever(): { parts: number; isOver: boolean } {
    const state = { parts: 0, isOver: false };
    const columns = async function* () {
      try {
        for (;;) {
          state.parts++;
          yield { count: 0, deviceTimeMs: new Float64Array(0) };
          await new Promise((resolve) => setImmediate(resolve));
        }
      } finally {
        state.isOver = true;
      }
    };
    Object.assign(scene.test.stores.positions, { columns });
    return state;
  }

  it.each(['line', 'chart', 'points'])('has no more positions read for the %s', async (call) => {
    const reading = readForever();
    const path = `/api/track/${call}?deviceid=BUS1&from=${SPAN.from}&to=${SPAN.to}`;
    await leave(path, scene.as.watcher, { isDue: () => reading.parts > 1 });
    await waitFor('the reading ends', () => reading.isOver, Boolean);
  });

  it.each(['csv', 'gpx', 'xlsx'])('has no more positions read for a file of the kind %s', async (format) => {
    const asked = { deviceid: 'BUS1', fromMs: SPAN.from, toMs: SPAN.to, format, language: 'en', timeZone: 'UTC' };
    const offered = await scene.export(asked);
    const reading = readForever();
    await leave(offered.json().data.address, scene.as.driver, { isDue: () => reading.parts > 1 });
    await waitFor('the reading ends', () => reading.isOver, Boolean);
  });

  it('has its preview of a geofence given up, so that another one can begin', async () => {
    const { test, bus, memberGroup } = scene;
    await test.addUser('drawer', ['system', 'fence'], [memberGroup]);
    const cookie = await test.signIn('drawer');
    let asked = 0;
    let open: () => void = () => undefined;
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    const between = async (_device: string, _range: object, limit: number) => {
      asked++;
      await opened;
      return Array.from({ length: limit }, () => positionOf(bus, START));
    };
    Object.assign(test.stores.positions, { between });
    const body = { fence: fenceContent() };
    await leave(FENCE_PREVIEW_PATH, cookie, { isDue: () => asked > 0, body });
    expect(asked).toBe(1);
    open();
    Object.assign(test.stores.positions, { between: async () => [] });
    const again = () => test.request({ method: 'POST', url: FENCE_PREVIEW_PATH, headers: { cookie }, body });
    await waitFor(
      'another preview',
      async () => (await again()).statusCode,
      (status) => status === 200,
    );
    expect(asked).toBe(1);
  });
});
