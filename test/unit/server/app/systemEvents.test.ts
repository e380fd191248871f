import { beforeEach, describe, expect, it } from 'vitest';
import { raiseRefused, raiseStarted, watchDisk } from '../../../../server/app/systemEvents.ts';
import type { DiskListener } from '../../../../server/recording/disk.ts';

const BUS = { deviceId: 'BUS1', incarnation: 1, archiveNumber: 1 };

describe('events of the gateway itself', () => {
  let raised: string[];
  const engine = {
    raise: ({ type, form }: { readonly type: string; readonly form: string }, device?: typeof BUS) => {
      raised.push(`${type} ${form}${device === undefined ? '' : ` of ${device.deviceId}`}`);
    },
  };
  beforeEach(() => {
    raised = [];
  });

  it('are raised by a start and by terminals that are not let in', () => {
    raiseStarted(engine);
    raiseRefused(engine, { device: undefined });
    raiseRefused(engine, { device: BUS });
    expect(raised).toEqual([
      'gateway-started momentary',
      'unknown-terminal momentary',
      'identity-changed momentary of BUS1',
    ]);
  });

  it('last as long as the disk is full or gone', () => {
    let tell: DiskListener = () => undefined;
    watchDisk(engine, {
      subscribe: (listener) => {
        tell = listener;
        return () => undefined;
      },
    });
    const said = (state: Parameters<DiskListener>[0]): string[] => {
      raised = [];
      tell(state, 'ok');
      return raised;
    };
    expect(said('full')).toEqual(['disk-full begin', 'disk-missing end', 'disk-failing end']);
    expect(said('gone')).toEqual(['disk-full end', 'disk-missing begin', 'disk-failing end']);
    expect(said('read-only')).toEqual(['disk-full end', 'disk-missing begin', 'disk-failing end']);
    expect(said('failing')).toEqual(['disk-full end', 'disk-missing end', 'disk-failing begin']);
    expect(said('ok')).toEqual(['disk-full end', 'disk-missing end', 'disk-failing end']);
  });
});
