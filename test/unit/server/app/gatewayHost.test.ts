import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import type { Gateway } from '../../../../server/app/gateway.ts';
import { GatewayHost } from '../../../../server/app/gatewayHost.ts';
import type { Config } from '../../../../server/config/variables.ts';
import type { RestoringServer } from '../../../../server/http/system/restoring/restoringServer.ts';
import { createLog } from '../../../../server/process/log.ts';

interface Faults {
  readonly close?: Error;
  readonly answerMeanwhile?: () => Promise<RestoringServer>;
}

/** A host of gateways that do nothing; the first one is closed with a fault where `faults` has one. */
async function startHost(faults: Faults) {
  const told = { started: 0, changed: 0, undone: 0, lost: [] as Error[] };
  const gateway = (close: () => Promise<void>) =>
    ({ address: 'http://localhost:8080', jt808Port: 6808, close }) as unknown as Gateway;
  const host = new GatewayHost({} as Config, {
    start: async () => {
      told.started++;
      const isFirst = told.started === 1;
      return gateway(async () => {
        if (isFirst && faults.close !== undefined) throw faults.close;
      });
    },
    answerMeanwhile: faults.answerMeanwhile ?? (async () => ({ close: async () => undefined })),
    createMetrics: () => new Registry(),
    log: createLog('silent'),
    onLost: (error) => told.lost.push(error),
  });
  await host.start();
  const change = async () => {
    told.changed++;
    return {
      undo: async () => {
        told.undone++;
      },
    };
  };
  return { host, told, change };
}

describe('a gateway that is closed for a change', () => {
  it('is changed and started again where nobody can answer meanwhile', async () => {
    // Such as a certificate that is read then, and has gone.
    const { host, told, change } = await startHost({
      answerMeanwhile: () => {
        throw new Error('no certificate');
      },
    });
    expect(await host.restart(change)).toEqual({ kind: 'changed' });
    expect(told).toEqual({ started: 2, changed: 1, undone: 0, lost: [] });
    expect(host.gateway).toBeDefined();
  });

  it('is answered for until the next one is about to listen', async () => {
    let isAnswering = false;
    const states: boolean[] = [];
    const host = new GatewayHost({} as Config, {
      start: async (_, { standIn }) => {
        states.push(isAnswering);
        await standIn?.leave();
        states.push(isAnswering);
        const close = async () => standIn?.take();
        return { address: 'http://localhost:8080', jt808Port: 6808, close } as unknown as Gateway;
      },
      answerMeanwhile: async () => {
        isAnswering = true;
        return {
          close: async () => {
            isAnswering = false;
          },
        };
      },
      createMetrics: () => new Registry(),
      log: createLog('silent'),
      onLost: (error) => expect.fail(error.message),
    });
    await host.start();
    await host.restart(async () => {
      states.push(isAnswering);
      return { undo: async () => undefined };
    });
    expect(states).toEqual([false, false, true, true, false]);
    await host.close();
    expect(isAnswering).toBe(false);
  });

  it('keeps what was changed where the answers meanwhile do not end in order', async () => {
    const { host, told, change } = await startHost({
      answerMeanwhile: async () => ({ close: () => Promise.reject(new Error('still open')) }),
    });
    expect(await host.restart(change)).toEqual({ kind: 'changed' });
    expect(told).toEqual({ started: 2, changed: 1, undone: 0, lost: [] });
  });

  it('starts again unchanged where it could not be closed in order', async () => {
    const error = new Error('a part is stuck');
    const { host, told, change } = await startHost({ close: error });
    expect(await host.restart(change)).toEqual({ kind: 'unchanged', error });
    expect(told).toEqual({ started: 2, changed: 0, undone: 0, lost: [] });
    expect(host.gateway).toBeDefined();
  });
});
