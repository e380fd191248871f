import { expect, it } from 'vitest';
import { countedLinks } from '../../../../server/app/firmware/firmware.ts';
import type { ImageLinkRequest } from '../../../../server/firmware/images/imageLinks.ts';

it('S-2.4.9 counts downloads of images as firmware of their device, and tells who opened them', () => {
  const opened: ImageLinkRequest[] = [];
  const link = { url: 'http://gateway.example/firmware/x', close: () => undefined };
  const noted: unknown[] = [];
  const links = countedLinks(
    {
      open: (request) => {
        opened.push(request);
        return link;
      },
    },
    { note: (...what) => noted.push(what) },
  );
  const told: unknown[] = [];
  const session = { incarnation: 7 } as ImageLinkRequest['session'];
  const request = { session, untilMs: 1, beforeEnd: async () => true } as Omit<ImageLinkRequest, 'onBytes'>;
  expect(links.open({ ...request, onBytes: (...what) => told.push(what) })).toBe(link);
  opened[0]?.onBytes(0, 600);
  opened[0]?.onBytes(600, 400);
  expect(noted).toEqual([600, 400].map((sentBytes) => [7, 'firmware', { receivedBytes: 0, sentBytes }]));
  expect(told).toEqual([
    [0, 600],
    [600, 400],
  ]);
});
