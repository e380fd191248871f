import { describe, expect, it } from 'vitest';
import { ptzOrderOf } from '../../../../server/device/controlPort.ts';
import { ptzOrder } from '../../../../server/device/jt808/orders.ts';
import type { PtzMessage } from '../../../../shared/protocol/stream/controlMessages.ts';

describe('what a person does to a camera, on the wire', () => {
  it.each<[PtzMessage, object]>([
    [
      { type: 'move', direction: 'up', speed: 200 },
      { kind: 'ptzRotate', direction: 1, speed: 200 },
    ],
    [
      { type: 'move', direction: 'down', speed: 1 },
      { kind: 'ptzRotate', direction: 2, speed: 1 },
    ],
    [
      { type: 'move', direction: 'left', speed: 255 },
      { kind: 'ptzRotate', direction: 3, speed: 255 },
    ],
    [
      { type: 'move', direction: 'right', speed: 7 },
      { kind: 'ptzRotate', direction: 4, speed: 7 },
    ],
    [{ type: 'stop' }, { kind: 'ptzRotate', direction: 0, speed: 0 }],
    [
      { type: 'zoom', direction: 'in' },
      { kind: 'ptzZoom', value: 0 },
    ],
    [
      { type: 'zoom', direction: 'out' },
      { kind: 'ptzZoom', value: 1 },
    ],
    [
      { type: 'focus', direction: 'far' },
      { kind: 'ptzFocus', value: 0 },
    ],
    [
      { type: 'focus', direction: 'near' },
      { kind: 'ptzFocus', value: 1 },
    ],
    [
      { type: 'iris', direction: 'open' },
      { kind: 'ptzIris', value: 0 },
    ],
    [
      { type: 'iris', direction: 'close' },
      { kind: 'ptzIris', value: 1 },
    ],
    [
      { type: 'wiper', on: true },
      { kind: 'ptzWiper', value: 1 },
    ],
    [
      { type: 'infrared', on: false },
      { kind: 'ptzInfrared', value: 0 },
    ],
  ])('%j', (message, fields) => {
    expect(ptzOrder(3, ptzOrderOf(message))).toEqual({ channel: 3, ...fields });
  });
});
