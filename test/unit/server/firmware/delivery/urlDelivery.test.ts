import { describe, expect, it } from 'vitest';
import type { MessageBody } from '../../../../../server/device/jt808/codec/message.ts';
import type { CommandResult } from '../../../../../server/device/terminalSession.ts';
import { createDelivery } from '../../../../../server/firmware/delivery/createDelivery.ts';
import type { DeliveryOutcome, DeliveryRequest } from '../../../../../server/firmware/delivery/delivery.ts';
import { STALLED_MS } from '../../../../../server/firmware/delivery/downloadWatch.ts';
import { CLOSED_LATER_MS } from '../../../../../server/firmware/delivery/urlDelivery.ts';
import type { ImageLinkRequest } from '../../../../../server/firmware/images/imageLinks.ts';
import type { FtpDownloadLogin, FtpLogin } from '../../../../../server/ftp/ftpLogin.ts';
import { ManualTimers } from '../../../../support/fakes/manualTimers.ts';
import { settled } from '../../device/jt808/fakeTerminal.ts';
import { MODEL, requestOf } from './deliveryScene.ts';

const OK: CommandResult = { ok: true };

function openScene(model: Partial<DeliveryRequest['model']> = {}, isFull = false) {
  const timers = new ManualTimers();
  const orders: MessageBody[] = [];
  const opened: ImageLinkRequest[] = [];
  const logins: FtpDownloadLogin[] = [];
  let closes = 0;
  let answer: (result: CommandResult) => void = () => undefined;
  const delivery = createDelivery({
    now: () => 5_000,
    runAfter: timers.runAfter,
    links: {
      open: (request) => {
        if (isFull) return undefined;
        opened.push(request);
        return { url: 'http://192.0.2.1:8080/firmware/token', close: () => void closes++ };
      },
    },
    ftpLogins: {
      open: (login: FtpLogin) => {
        if (login.kind === 'download') logins.push(login);
        const address = { host: '192.0.2.1', port: 7021, user: 'u', password: 'p', path: '/image' };
        return { address, close: () => void closes++ };
      },
    },
  });
  const { request, progress, aborting } = requestOf(
    {
      command: (body) => {
        orders.push(body);
        return new Promise((resolve) => {
          answer = resolve;
        });
      },
    },
    { model: { ...MODEL, ...model } },
  );
  let outcome: DeliveryOutcome | undefined;
  const start = (): void => {
    delivery.deliver(request).then(
      (settledOutcome) => {
        outcome = settledOutcome;
      },
      (error: unknown) => {
        throw error;
      },
    );
  };
  start();
  return {
    timers,
    orders,
    opened,
    logins,
    progress,
    aborting,
    delivery,
    closes: () => closes,
    answer: async (result: CommandResult) => {
      answer(result);
      await settled();
    },
    outcome: async () => {
      await settled();
      return outcome;
    },
  };
}

describe('an image by URL', () => {
  it('is delivered once the terminal has fetched it, and its address is closed later', async () => {
    const scene = openScene();
    expect(scene.opened).toMatchObject([{ untilMs: 5_000 + 3_600_000, session: { deviceId: 'BUS1' } }]);
    await scene.answer(OK);
    scene.opened[0]?.onBytes(0, 600);
    expect(await scene.outcome()).toBeUndefined();
    scene.opened[0]?.onBytes(600, 400);
    expect(await scene.outcome()).toEqual({ ok: true });
    expect([scene.progress, scene.closes()]).toEqual([[600, 1_000], 0]);
    scene.timers.advance(CLOSED_LATER_MS);
    expect([scene.closes(), scene.timers.pending]).toEqual([1, 0]);
  });

  it('closes what is open when the gateway stops', async () => {
    const scene = openScene();
    scene.opened[0]?.onBytes(0, 1_000);
    await scene.outcome();
    scene.delivery.close();
    expect([scene.closes(), scene.timers.pending]).toEqual([1, 0]);
  });

  it('is delivered by a terminal that never answers, or answers when it has it', async () => {
    const scene = openScene();
    scene.opened[0]?.onBytes(0, 10);
    await scene.answer({ ok: false, reason: 'timeout' });
    expect(await scene.outcome()).toBeUndefined();
    scene.opened[0]?.onBytes(10, 990);
    expect(await scene.outcome()).toEqual({ ok: true });
  });

  it('is delivered by a terminal that never answers, and begins minutes later', async () => {
    const scene = openScene();
    await scene.answer({ ok: false, reason: 'timeout' });
    scene.timers.advance(STALLED_MS - 1);
    expect([await scene.outcome(), scene.closes()]).toEqual([undefined, 0]);
    scene.opened[0]?.onBytes(0, 1_000);
    expect(await scene.outcome()).toEqual({ ok: true });
  });

  it('fails where a terminal neither answers nor begins for a quarter of an hour', async () => {
    const scene = openScene();
    await scene.answer({ ok: false, reason: 'timeout' });
    scene.timers.advance(STALLED_MS);
    expect(await scene.outcome()).toMatchObject({ ok: false, fault: 'no-answer', isPassing: true });
    expect([scene.closes(), scene.timers.pending]).toEqual([1, 0]);
  });

  it.each([
    [{ ok: false, reason: 'closed' }, 'disconnected', true],
    [{ ok: false, reason: 'refused', result: 3 }, 'not-supported', false],
    [{ ok: false, reason: 'refused', result: 1 }, 'refused', false],
  ] as const)('fails where the order fails: %o', async (result, fault, isPassing) => {
    const scene = openScene();
    await scene.answer(result);
    expect(await scene.outcome()).toMatchObject({ ok: false, fault, isPassing });
    expect([scene.closes(), scene.timers.pending]).toEqual([1, 0]);
  });

  it('fails without a byte for a quarter of an hour', async () => {
    const scene = openScene();
    await scene.answer(OK);
    scene.timers.advance(STALLED_MS);
    expect(await scene.outcome()).toMatchObject({ ok: false, fault: 'no-answer', isPassing: true });
    expect(scene.closes()).toBe(1);
  });

  it('ends at once when nobody wants it any more', async () => {
    const scene = openScene();
    await scene.answer(OK);
    scene.aborting.abort();
    expect(await scene.outcome()).toMatchObject({ ok: false, fault: 'aborted' });
    expect([scene.closes(), scene.timers.pending]).toEqual([1, 0]);
  });

  it('waits for another time while too many addresses are open', async () => {
    const scene = openScene({}, true);
    expect(await scene.outcome()).toMatchObject({ ok: false, fault: 'internal', isPassing: true });
    expect([scene.orders, scene.timers.pending]).toEqual([[], 0]);
  });

  it('goes by FTP with a login of its own', async () => {
    const scene = openScene({ method: 'ftp' });
    expect(scene.logins).toMatchObject([
      { incarnation: 7, remoteAddress: '10.0.0.7', file: '/nowhere/image', bytes: 1_000 },
    ]);
    expect(scene.orders).toMatchObject([
      { command: 1, parameter: 'ftp://192.0.2.1:7021/image;;u;p;192.0.2.1;7021;;FLGLS;;2.0;60' },
    ]);
  });

  it("goes by a vendor's text", async () => {
    const scene = openScene({ method: 'text', template: 'UPGRADE {url} {version}' });
    expect(scene.orders).toMatchObject([{ kind: 'text', text: 'UPGRADE http://192.0.2.1:8080/firmware/token 2.0' }]);
  });

  it.each(['', 'FOTA'])('is not tried where the text names no address: %j', async (template) => {
    const scene = openScene({ method: 'passthrough', template });
    expect(await scene.outcome()).toMatchObject({ ok: false, fault: 'protocol-error', isPassing: false });
    expect([scene.opened, scene.orders]).toEqual([[], []]);
  });
});
