// A request to deliver an image, to a terminal that is none.
import type { TerminalSession } from '../../../../../server/device/terminalSession.ts';
import type { DeliveredImage, DeliveryRequest } from '../../../../../server/firmware/delivery/delivery.ts';

export const IMAGE: DeliveredImage = {
  file: '/nowhere/image',
  bytes: 1_000,
  sha256: 'ab12',
  vendor: 'FLGLS',
  firmwareVersion: '2.0',
  partCode: 0,
};

export const MODEL: DeliveryRequest['model'] = {
  method: 'http',
  manufacturerBytes: 5,
  window: 8,
  template: '',
  passthroughType: 0xf0,
};

/** Throws where a test uses what it hasn't given. */
function sessionOf(own: Partial<TerminalSession>): TerminalSession {
  const facts = {
    deviceId: 'BUS1',
    incarnation: 7,
    edition: '2019',
    remoteAddress: '10.0.0.7',
    localAddress: '192.0.2.1',
    relaxedMediaAddress: false,
  } as const;
  return { ...facts, ...own } as TerminalSession;
}

export function requestOf(session: Partial<TerminalSession>, change: Partial<DeliveryRequest> = {}) {
  const progress: number[] = [];
  const aborting = new AbortController();
  const request: DeliveryRequest = {
    session: sessionOf(session),
    image: IMAGE,
    model: MODEL,
    signal: aborting.signal,
    onProgress: (bytes) => void progress.push(bytes),
    beforeEnd: async () => true,
    ...change,
  };
  return { request, progress, aborting };
}
